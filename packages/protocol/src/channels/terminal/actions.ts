import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { TerminalClaimSchema } from './claim.js';

export const TerminalClaimedActionSchema = named(
  'TerminalClaimedAction',
  Type.Object({
    type: Type.Literal('terminal/claimed'),
    claim: TerminalClaimSchema,
  }),
);
export type TerminalClaimedAction = Static<typeof TerminalClaimedActionSchema>;

export const TerminalClearedActionSchema = named(
  'TerminalClearedAction',
  Type.Object({
    type: Type.Literal('terminal/cleared'),
  }),
);
export type TerminalClearedAction = Static<typeof TerminalClearedActionSchema>;

export const TerminalCommandDetectionAvailableActionSchema = named(
  'TerminalCommandDetectionAvailableAction',
  Type.Object({
    type: Type.Literal('terminal/commandDetectionAvailable'),
  }),
);
export type TerminalCommandDetectionAvailableAction = Static<typeof TerminalCommandDetectionAvailableActionSchema>;

export const TerminalCommandExecutedActionSchema = named(
  'TerminalCommandExecutedAction',
  Type.Object({
    type: Type.Literal('terminal/commandExecuted'),
    commandId: Type.String(),
    commandLine: Type.String(),
    timestamp: Type.Integer(),
  }),
);
export type TerminalCommandExecutedAction = Static<typeof TerminalCommandExecutedActionSchema>;

export const TerminalCommandFinishedActionSchema = named(
  'TerminalCommandFinishedAction',
  Type.Object({
    type: Type.Literal('terminal/commandFinished'),
    commandId: Type.String(),
    exitCode: optional(Type.Integer()),
    durationMs: optional(Type.Integer()),
  }),
);
export type TerminalCommandFinishedAction = Static<typeof TerminalCommandFinishedActionSchema>;

export const TerminalCwdChangedActionSchema = named(
  'TerminalCwdChangedAction',
  Type.Object({
    type: Type.Literal('terminal/cwdChanged'),
    cwd: URISchema,
  }),
);
export type TerminalCwdChangedAction = Static<typeof TerminalCwdChangedActionSchema>;

export const TerminalDataActionSchema = named(
  'TerminalDataAction',
  Type.Object({
    type: Type.Literal('terminal/data'),
    data: Type.String(),
  }),
);
export type TerminalDataAction = Static<typeof TerminalDataActionSchema>;

export const TerminalExitedActionSchema = named(
  'TerminalExitedAction',
  Type.Object({
    type: Type.Literal('terminal/exited'),
    exitCode: optional(Type.Integer()),
  }),
);
export type TerminalExitedAction = Static<typeof TerminalExitedActionSchema>;

export const TerminalInputActionSchema = named(
  'TerminalInputAction',
  Type.Object({
    type: Type.Literal('terminal/input'),
    data: Type.String(),
  }),
);
export type TerminalInputAction = Static<typeof TerminalInputActionSchema>;

export const TerminalResizedActionSchema = named(
  'TerminalResizedAction',
  Type.Object({
    type: Type.Literal('terminal/resized'),
    cols: Type.Integer(),
    rows: Type.Integer(),
  }),
);
export type TerminalResizedAction = Static<typeof TerminalResizedActionSchema>;

export const TerminalTitleChangedActionSchema = named(
  'TerminalTitleChangedAction',
  Type.Object({
    type: Type.Literal('terminal/titleChanged'),
    title: Type.String(),
  }),
);
export type TerminalTitleChangedAction = Static<typeof TerminalTitleChangedActionSchema>;
