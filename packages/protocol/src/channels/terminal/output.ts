import { hasOnlyKeys } from '../../common/known-keys.js';
import type { ActionOf } from '../action-table.js';
import type { Run } from '../reducer.js';
import type { TerminalCommandPart, TerminalContentPart, TerminalState, TerminalUnclassifiedPart } from './state.js';

/**
 * What was made here last, known to have no unknown members. Output comes in append after append, each on the result of
 * the last, and then nothing need be inspected again.
 */
const latest: { state: TerminalState | undefined; tail: TerminalContentPart | undefined } = {
  state: undefined,
  tail: undefined,
};

/** Appends output to the part at the end: to a running command, else to unclassified text. */
export function appendOutput(state: TerminalState, data: string): TerminalState {
  const content = state.content.slice();
  const last = content.length - 1;
  const tail = content[last];
  if (tail?.type === 'command' && !tail.isComplete) content[last] = withOutput(tail, tail.output + data);
  else if (tail?.type === 'unclassified') content[last] = withValue(tail, tail.value + data);
  else content.push({ type: 'unclassified', value: data });
  return withContent(state, content);
}

/** A run of output: appended as one text. */
export function outputRun(
  state: TerminalState,
  actions: readonly ActionOf<'terminal'>[],
  start: number,
): Run<TerminalState> | undefined {
  let text = '';
  let end = start;
  for (let action = actions[end]; isOutput(action); action = actions[++end]) text += action.data;
  return end === start ? undefined : { state: appendOutput(state, text), end };
}

function isOutput(
  action: ActionOf<'terminal'> | undefined,
): action is ActionOf<'terminal'> & { type: 'terminal/data' } {
  return action?.type === 'terminal/data' && typeof action.data === 'string';
}

// A literal with fixed keys is copied many times faster than by spreading; output arrives thousands of times a second.

function withValue(part: TerminalUnclassifiedPart, value: string): TerminalUnclassifiedPart {
  if (part !== latest.tail && !hasOnlyKeys(part, TEXT_KEYS)) return { ...part, value };
  const next = { type: part.type, value };
  latest.tail = next;
  return next;
}

function withOutput(part: TerminalCommandPart, output: string): TerminalCommandPart {
  if (part !== latest.tail && !hasOnlyKeys(part, COMMAND_KEYS)) return { ...part, output };
  const next = {
    type: part.type,
    commandId: part.commandId,
    commandLine: part.commandLine,
    output,
    timestamp: part.timestamp,
    isComplete: part.isComplete,
    exitCode: part.exitCode,
    durationMs: part.durationMs,
  };
  latest.tail = next;
  return next;
}

function withContent(state: TerminalState, content: TerminalContentPart[]): TerminalState {
  if (state !== latest.state && !hasOnlyKeys(state, STATE_KEYS)) return { ...state, content };
  const next = {
    title: state.title,
    cwd: state.cwd,
    cols: state.cols,
    rows: state.rows,
    content,
    lifecycle: state.lifecycle,
    claim: state.claim,
    supportsCommandDetection: state.supportsCommandDetection,
    isPty: state.isPty,
  };
  latest.state = next;
  return next;
}

const TEXT_KEYS = ['type', 'value'];
const COMMAND_KEYS = [
  'type',
  'commandId',
  'commandLine',
  'output',
  'timestamp',
  'isComplete',
  'exitCode',
  'durationMs',
];
const STATE_KEYS = [
  'title',
  'cwd',
  'cols',
  'rows',
  'content',
  'lifecycle',
  'claim',
  'supportsCommandDetection',
  'isPty',
];
