import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type TerminalClaim, TerminalClaimSchema } from './claim.js';

export interface TerminalClaimedAction {
  type: 'terminal/claimed';
  /** Who may type from now on. */
  claim: TerminalClaim;
}

export const TerminalClaimedActionSchema = object<TerminalClaimedAction>('TerminalClaimedAction', {
  type: Type.Literal('terminal/claimed'),
  claim: TerminalClaimSchema,
});

export interface TerminalClearedAction {
  type: 'terminal/cleared';
}

export const TerminalClearedActionSchema = object<TerminalClearedAction>('TerminalClearedAction', {
  type: Type.Literal('terminal/cleared'),
});

export interface TerminalCommandDetectionAvailableAction {
  type: 'terminal/commandDetectionAvailable';
}

export const TerminalCommandDetectionAvailableActionSchema = object<TerminalCommandDetectionAvailableAction>(
  'TerminalCommandDetectionAvailableAction',
  {
    type: Type.Literal('terminal/commandDetectionAvailable'),
  },
);

export interface TerminalCommandExecutedAction {
  type: 'terminal/commandExecuted';
  /** The id that the command's `terminal/commandExecuted` gave. */
  commandId: string;
  /** What was typed. */
  commandLine: string;
  /** When it began, in milliseconds since the epoch. */
  timestamp: number;
}

export const TerminalCommandExecutedActionSchema = object<TerminalCommandExecutedAction>(
  'TerminalCommandExecutedAction',
  {
    type: Type.Literal('terminal/commandExecuted'),
    commandId: Type.String(),
    commandLine: Type.String(),
    timestamp: Type.Integer(),
  },
);

export interface TerminalCommandFinishedAction {
  type: 'terminal/commandFinished';
  /** The id that the command's `terminal/commandExecuted` gave. */
  commandId: string;
  /** Its exit code, if the shell says it. */
  exitCode?: number | undefined;
  /** How long it took. */
  durationMs?: number | undefined;
}

export const TerminalCommandFinishedActionSchema = object<TerminalCommandFinishedAction>(
  'TerminalCommandFinishedAction',
  {
    type: Type.Literal('terminal/commandFinished'),
    commandId: Type.String(),
    exitCode: optional(Type.Integer()),
    durationMs: optional(Type.Integer()),
  },
);

export interface TerminalCwdChangedAction {
  type: 'terminal/cwdChanged';
  /** The folder that the shell is in now. */
  cwd: URI;
}

export const TerminalCwdChangedActionSchema = object<TerminalCwdChangedAction>('TerminalCwdChangedAction', {
  type: Type.Literal('terminal/cwdChanged'),
  cwd: URISchema,
});

export interface TerminalDataAction {
  type: 'terminal/data';
  /** What was printed. */
  data: string;
}

export const TerminalDataActionSchema = object<TerminalDataAction>('TerminalDataAction', {
  type: Type.Literal('terminal/data'),
  data: Type.String(),
});

export interface TerminalExitedAction {
  type: 'terminal/exited';
  /** The exit code, if the program ended by itself. */
  exitCode?: number | undefined;
}

export const TerminalExitedActionSchema = object<TerminalExitedAction>('TerminalExitedAction', {
  type: Type.Literal('terminal/exited'),
  exitCode: optional(Type.Integer()),
});

export interface TerminalInputAction {
  type: 'terminal/input';
  /** What is typed. */
  data: string;
}

export const TerminalInputActionSchema = object<TerminalInputAction>('TerminalInputAction', {
  type: Type.Literal('terminal/input'),
  data: Type.String(),
});

export interface TerminalResizedAction {
  type: 'terminal/resized';
  /** The width in characters. */
  cols: number;
  /** The height in lines. */
  rows: number;
}

export const TerminalResizedActionSchema = object<TerminalResizedAction>('TerminalResizedAction', {
  type: Type.Literal('terminal/resized'),
  cols: Type.Integer(),
  rows: Type.Integer(),
});

export interface TerminalTitleChangedAction {
  type: 'terminal/titleChanged';
  /** Shown above the terminal: what the program set, or the name of the shell at first. */
  title: string;
}

export const TerminalTitleChangedActionSchema = object<TerminalTitleChangedAction>('TerminalTitleChangedAction', {
  type: Type.Literal('terminal/titleChanged'),
  title: Type.String(),
});
