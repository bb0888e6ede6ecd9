import { hasOnlyKeys } from '../../common/known-keys.js';
import type { ActionOf } from '../action-table.js';
import { endOfRun, type Run } from '../reducer.js';
import type { TerminalContentPart, TerminalState } from './state.js';

/** Appends output to the part at the end: to a running command, else to unclassified text. */
export function appendOutput(state: TerminalState, data: string): TerminalState {
  const content = state.content.slice();
  const last = content.length - 1;
  const tail = content[last];
  if (tail?.type === 'command' && !tail.isComplete) content[last] = { ...tail, output: tail.output + data };
  else if (tail?.type === 'unclassified') content[last] = appendedText(tail, data);
  else content.push({ type: 'unclassified', value: data });
  return withContent(state, content);
}

/** A run of output: appended as one text. */
export function outputRun(
  state: TerminalState,
  actions: readonly ActionOf<'terminal'>[],
  start: number,
): Run<TerminalState> | undefined {
  const end = endOfRun(actions, start, (action) => textOf(action) !== undefined);
  return end === undefined
    ? undefined
    : { state: appendOutput(state, actions.slice(start, end).map(textOf).join('')), end };
}

function textOf(action: ActionOf<'terminal'>): string | undefined {
  return action.type === 'terminal/data' && typeof action.data === 'string' ? action.data : undefined;
}

function appendedText(part: TerminalContentPart & { type: 'unclassified' }, data: string): TerminalContentPart {
  const value = part.value + data;
  return hasOnlyKeys(part, TEXT_KEYS) ? { type: 'unclassified', value } : { ...part, value };
}

/** A literal with fixed keys is copied 25 times faster than by spreading; output arrives thousands of times a second. */
function withContent(state: TerminalState, content: TerminalContentPart[]): TerminalState {
  if (!hasOnlyKeys(state, STATE_KEYS)) return { ...state, content };
  return {
    title: state.title,
    cwd: state.cwd,
    cols: state.cols,
    rows: state.rows,
    content,
    exitCode: state.exitCode,
    claim: state.claim,
    supportsCommandDetection: state.supportsCommandDetection,
  };
}

const TEXT_KEYS = new Set(['type', 'value']);
const STATE_KEYS = new Set([
  'title',
  'cwd',
  'cols',
  'rows',
  'content',
  'exitCode',
  'claim',
  'supportsCommandDetection',
]);
