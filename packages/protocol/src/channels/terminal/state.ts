import { named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type TerminalClaim, TerminalClaimSchema } from './claim.js';
import { type TerminalLifecycleState, TerminalLifecycleStateSchema } from './lifecycle.js';

export interface TerminalUnclassifiedPart {
  type: 'unclassified';
  /** Output that belongs to no command. */
  value: string;
}

export const TerminalUnclassifiedPartSchema = object<TerminalUnclassifiedPart>('TerminalUnclassifiedPart', {
  type: Type.Literal('unclassified'),
  value: Type.String(),
});

export interface TerminalCommandPart {
  type: 'command';
  /** Unique within the terminal. */
  commandId: string;
  /** What was typed. */
  commandLine: string;
  /** What it has printed. */
  output: string;
  /** When it began, in milliseconds since the epoch. */
  timestamp: number;
  /** Whether it has ended. */
  isComplete: boolean;
  /** Its exit code, if the shell says it. */
  exitCode?: number | undefined;
  /** How long it took. */
  durationMs?: number | undefined;
}

export const TerminalCommandPartSchema = object<TerminalCommandPart>('TerminalCommandPart', {
  type: Type.Literal('command'),
  commandId: Type.String(),
  commandLine: Type.String(),
  output: Type.String(),
  timestamp: Type.Integer(),
  isComplete: Type.Boolean(),
  exitCode: optional(Type.Integer()),
  durationMs: optional(Type.Integer()),
});

export const TerminalContentPartSchema = named(
  'TerminalContentPart',
  Type.Union([TerminalUnclassifiedPartSchema, TerminalCommandPartSchema]),
);
export type TerminalContentPart = Static<typeof TerminalContentPartSchema>;

/** The state of a terminal, with what its program wrote. */
export interface TerminalState {
  /** Shown above the terminal: what the program set, or the name of the shell at first. */
  title: string;
  /** The folder that its shell is in. */
  cwd?: URI | undefined;
  /** Its width in characters. */
  cols?: number | undefined;
  /** Its height in lines. */
  rows?: number | undefined;
  /** What was printed, command by command where they are known. */
  content: TerminalContentPart[];
  /** Whether its program runs, or how it ended. */
  lifecycle: TerminalLifecycleState;
  /** Who may type. */
  claim: TerminalClaim;
  /** Whether its shell says where commands begin and end. */
  supportsCommandDetection?: boolean | undefined;
  /** Whether it is a real terminal, whose output has control sequences. */
  isPty?: boolean | undefined;
}

export const TerminalStateSchema = object<TerminalState>('TerminalState', {
  title: Type.String(),
  cwd: optional(URISchema),
  cols: optional(Type.Integer()),
  rows: optional(Type.Integer()),
  content: Type.Array(TerminalContentPartSchema),
  lifecycle: TerminalLifecycleStateSchema,
  claim: TerminalClaimSchema,
  supportsCommandDetection: optional(Type.Boolean()),
  isPty: optional(Type.Boolean()),
});

/** A terminal as the root channel lists it. */
export interface TerminalInfo {
  /** The URI of the terminal. */
  resource: URI;
  /** Shown above the terminal: what the program set, or the name of the shell at first. */
  title: string;
  /** Who may type. */
  claim: TerminalClaim;
  /** Whether its program runs, or how it ended. */
  lifecycle: TerminalLifecycleState;
}

export const TerminalInfoSchema = object<TerminalInfo>('TerminalInfo', {
  resource: URISchema,
  title: Type.String(),
  claim: TerminalClaimSchema,
  lifecycle: TerminalLifecycleStateSchema,
});
