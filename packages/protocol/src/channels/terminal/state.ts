import { named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type TerminalClaim, TerminalClaimSchema } from './claim.js';
import { type TerminalLifecycleState, TerminalLifecycleStateSchema } from './lifecycle.js';

export interface TerminalUnclassifiedPart {
  type: 'unclassified';
  value: string;
}

export const TerminalUnclassifiedPartSchema = object<TerminalUnclassifiedPart>('TerminalUnclassifiedPart', {
  type: Type.Literal('unclassified'),
  value: Type.String(),
});

export interface TerminalCommandPart {
  type: 'command';
  commandId: string;
  commandLine: string;
  output: string;
  timestamp: number;
  isComplete: boolean;
  exitCode?: number | undefined;
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
  title: string;
  cwd?: URI | undefined;
  cols?: number | undefined;
  rows?: number | undefined;
  content: TerminalContentPart[];
  lifecycle: TerminalLifecycleState;
  claim: TerminalClaim;
  supportsCommandDetection?: boolean | undefined;
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
  resource: URI;
  title: string;
  claim: TerminalClaim;
  lifecycle: TerminalLifecycleState;
}

export const TerminalInfoSchema = object<TerminalInfo>('TerminalInfo', {
  resource: URISchema,
  title: Type.String(),
  claim: TerminalClaimSchema,
  lifecycle: TerminalLifecycleStateSchema,
});
