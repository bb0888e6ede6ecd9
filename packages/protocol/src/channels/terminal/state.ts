import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { TerminalClaimSchema } from './claim.js';
import { TerminalLifecycleStateSchema } from './lifecycle.js';

export const TerminalUnclassifiedPartSchema = named(
  'TerminalUnclassifiedPart',
  Type.Object({
    type: Type.Literal('unclassified'),
    value: Type.String(),
  }),
);
export type TerminalUnclassifiedPart = Static<typeof TerminalUnclassifiedPartSchema>;

export const TerminalCommandPartSchema = named(
  'TerminalCommandPart',
  Type.Object({
    type: Type.Literal('command'),
    commandId: Type.String(),
    commandLine: Type.String(),
    output: Type.String(),
    timestamp: Type.Integer(),
    isComplete: Type.Boolean(),
    exitCode: optional(Type.Integer()),
    durationMs: optional(Type.Integer()),
  }),
);
export type TerminalCommandPart = Static<typeof TerminalCommandPartSchema>;

export const TerminalContentPartSchema = named(
  'TerminalContentPart',
  Type.Union([TerminalUnclassifiedPartSchema, TerminalCommandPartSchema]),
);
export type TerminalContentPart = Static<typeof TerminalContentPartSchema>;

export const TerminalStateSchema = named(
  'TerminalState',
  Type.Object({
    title: Type.String(),
    cwd: optional(URISchema),
    cols: optional(Type.Integer()),
    rows: optional(Type.Integer()),
    content: Type.Array(TerminalContentPartSchema),
    lifecycle: TerminalLifecycleStateSchema,
    claim: TerminalClaimSchema,
    supportsCommandDetection: optional(Type.Boolean()),
    isPty: optional(Type.Boolean()),
  }),
);
/** The state of a terminal, with what its program wrote. */
export type TerminalState = Static<typeof TerminalStateSchema>;

export const TerminalInfoSchema = named(
  'TerminalInfo',
  Type.Object({
    resource: URISchema,
    title: Type.String(),
    claim: TerminalClaimSchema,
    lifecycle: TerminalLifecycleStateSchema,
  }),
);
/** A terminal as the root channel lists it. */
export type TerminalInfo = Static<typeof TerminalInfoSchema>;
