import type { ActionOf } from '../action-table.js';
import { appendOutput } from './output.js';
import type { TerminalState } from './state.js';

export function reduceTerminal(state: TerminalState, action: ActionOf<'terminal'>): TerminalState {
  switch (action.type) {
    case 'terminal/data':
      return appendOutput(state, action.data);
    case 'terminal/input': // only a side effect: what it causes comes back as data
      return state;
    case 'terminal/resized':
      return { ...state, cols: action.cols, rows: action.rows };
    case 'terminal/claimed':
      return { ...state, claim: action.claim };
    case 'terminal/titleChanged':
      return { ...state, title: action.title };
    case 'terminal/cwdChanged':
      return { ...state, cwd: action.cwd };
    case 'terminal/exited':
      return { ...state, lifecycle: { status: 'exited', exitCode: action.exitCode } };
    case 'terminal/cleared':
      return { ...state, content: [] };
    case 'terminal/commandDetectionAvailable':
      return { ...state, supportsCommandDetection: true };
    case 'terminal/commandExecuted': {
      const { commandId, commandLine, timestamp } = action;
      const part = { type: 'command' as const, commandId, commandLine, output: '', timestamp, isComplete: false };
      return { ...state, content: [...state.content, part], supportsCommandDetection: true };
    }
    case 'terminal/commandFinished':
      return finishCommand(state, action);
    default:
      return state;
  }
}

function finishCommand(
  state: TerminalState,
  action: ActionOf<'terminal'> & { type: 'terminal/commandFinished' },
): TerminalState {
  let found = false;
  const content = state.content.map((part) => {
    if (part.type !== 'command' || part.commandId !== action.commandId) return part;
    found = true;
    return { ...part, isComplete: true, exitCode: action.exitCode, durationMs: action.durationMs };
  });
  return found ? { ...state, content } : state;
}
