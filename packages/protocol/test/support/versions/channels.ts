import type { Rules } from './rules.js';
import { mergeConfig } from './session.js';
import { changeFirst, list, object, removeFirst, upsert, type Wire } from './wire.js';

export function reduceRoot(root: Wire, action: Wire): Wire {
  switch (action.type) {
    case 'root/agentsChanged':
      return { ...root, agents: action.agents };
    case 'root/activeSessionsChanged':
      return { ...root, activeSessions: action.activeSessions };
    case 'root/terminalsChanged':
      return { ...root, terminals: action.terminals };
    case 'root/configChanged':
      return root.config ? { ...root, config: mergeConfig(object(root.config), action) } : root;
    default:
      return root;
  }
}

export function reduceTerminal(rules: Rules, terminal: Wire, action: Wire): Wire {
  const content = list(terminal.content);
  const { cols, rows, commandId, commandLine, timestamp, exitCode, durationMs } = action;
  switch (action.type) {
    case 'terminal/data':
      return { ...terminal, content: withOutput(content, String(action.data)) };
    case 'terminal/resized':
      return { ...terminal, cols, rows };
    case 'terminal/claimed':
      return { ...terminal, claim: action.claim };
    case 'terminal/titleChanged':
      return { ...terminal, title: action.title };
    case 'terminal/cwdChanged':
      return { ...terminal, cwd: action.cwd };
    case 'terminal/exited':
      return { ...terminal, ...(rules.hasErrorParts ? { lifecycle: { status: 'exited', exitCode } } : { exitCode }) };
    case 'terminal/cleared':
      return { ...terminal, content: [] };
    case 'terminal/commandDetectionAvailable':
      return { ...terminal, supportsCommandDetection: true };
    case 'terminal/commandExecuted': {
      const part = { type: 'command', commandId, commandLine, output: '', timestamp, isComplete: false };
      return { ...terminal, content: [...content, part], supportsCommandDetection: true };
    }
    case 'terminal/commandFinished': {
      const isIt = (part: Wire) => part.type === 'command' && part.commandId === commandId;
      const finished = { isComplete: true, exitCode, durationMs };
      return { ...terminal, content: content.map((part) => (isIt(part) ? { ...part, ...finished } : part)) };
    }
    default:
      return terminal;
  }
}

function withOutput(content: readonly Wire[], data: string): readonly Wire[] {
  const tail = content.at(-1);
  if (tail?.type === 'command' && !tail.isComplete) return content.with(-1, { ...tail, output: tail.output + data });
  if (tail?.type === 'unclassified') return content.with(-1, { ...tail, value: tail.value + data });
  return [...content, { type: 'unclassified', value: data }];
}

export function reduceChangeset(rules: Rules, changeset: Wire, action: Wire): Wire {
  const files = list(changeset.files);
  const error = action.status === 'error' ? action.error : undefined;
  switch (action.type) {
    case 'changeset/statusChanged':
      return { ...changeset, status: action.status, error };
    case 'changeset/fileSet': {
      const file = object(action.file);
      return { ...changeset, files: upsert(files, file, ({ id }) => id === file.id) };
    }
    case 'changeset/fileRemoved':
      return { ...changeset, files: removeFirst(files, ({ id }) => id === action.fileId) };
    case 'changeset/contentChanged': {
      const operations = action.operations ?? changeset.operations;
      const content = { ...changeset, files: action.files, operations };
      return rules.hasErrorParts ? content : { ...content, error: action.error };
    }
    case 'changeset/filesReviewChanged':
      return rules.hasInputParts ? review(changeset, action.files, action.reviewed) : changeset;
    case 'changeset/filesReviewedChanged':
      if (rules.hasInputParts || !rules.recordsAnswers) return changeset;
      return review(changeset, action.fileIds, action.reviewed);
    case 'changeset/operationsChanged':
      return { ...changeset, operations: action.operations };
    case 'changeset/operationStatusChanged': {
      const operations = changeset.operations as Wire[] | undefined;
      const isIt = ({ id }: Wire) => id === action.operationId;
      const change = (operation: Wire) => ({ ...operation, status: action.status, error });
      return operations ? { ...changeset, operations: changeFirst(operations, isIt, change) } : changeset;
    }
    case 'changeset/cleared':
      return { ...changeset, files: [] };
    default:
      return changeset;
  }
}

function review(changeset: Wire, ids: unknown, reviewed: unknown): Wire {
  const marked = new Set(ids as unknown[]);
  return {
    ...changeset,
    files: list(changeset.files).map((file) => (marked.has(file.id) ? { ...file, reviewed } : file)),
  };
}

export function reduceAnnotations(rules: Rules, state: Wire, action: Wire): Wire {
  const annotations = list(state.annotations);
  const change = (edit: (annotation: Wire) => Wire) => ({
    ...state,
    annotations: changeFirst(annotations, ({ id }) => id === action.annotationId, edit),
  });
  switch (action.type) {
    case 'annotations/set': {
      const annotation = object(action.annotation);
      return { ...state, annotations: upsert(annotations, annotation, ({ id }) => id === annotation.id) };
    }
    case 'annotations/updated': {
      const names = [rules.hasErrorParts ? 'origin' : 'turnId', 'resource', 'range', 'resolved'];
      const given = names.filter((name) => (action[name] ?? null) !== null).map((name) => [name, action[name]]);
      return change((annotation) => ({ ...annotation, ...Object.fromEntries(given) }));
    }
    case 'annotations/removed':
      return { ...state, annotations: removeFirst(annotations, ({ id }) => id === action.annotationId) };
    case 'annotations/entrySet': {
      const entry = object(action.entry);
      return change((annotation) => ({
        ...annotation,
        entries: upsert(list(annotation.entries), entry, ({ id }) => id === entry.id),
      }));
    }
    case 'annotations/entryRemoved':
      return change((annotation) => ({
        ...annotation,
        entries: removeFirst(list(annotation.entries), ({ id }) => id === action.entryId),
      }));
    default:
      return state;
  }
}
