import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Whether a terminal's program still runs. */
export const TerminalLifecycleStatus = {
  Running: 'running',
  Exited: 'exited',
} as const;
export type TerminalLifecycleStatus = EnumValue<typeof TerminalLifecycleStatus>;
export const TerminalLifecycleStatusSchema = enumSchema('TerminalLifecycleStatus', TerminalLifecycleStatus);

export const TerminalRunningLifecycleStateSchema = named(
  'TerminalRunningLifecycleState',
  Type.Object({
    status: Type.Literal(TerminalLifecycleStatus.Running),
  }),
);
export type TerminalRunningLifecycleState = Static<typeof TerminalRunningLifecycleStateSchema>;

export const TerminalExitedLifecycleStateSchema = named(
  'TerminalExitedLifecycleState',
  Type.Object({
    status: Type.Literal(TerminalLifecycleStatus.Exited),
    /** Absent when nobody knows it. */
    exitCode: optional(Type.Integer()),
  }),
);
export type TerminalExitedLifecycleState = Static<typeof TerminalExitedLifecycleStateSchema>;

export const TerminalLifecycleStateSchema = named(
  'TerminalLifecycleState',
  Type.Union([TerminalRunningLifecycleStateSchema, TerminalExitedLifecycleStateSchema]),
);
/** Whether a terminal's program still runs, and if not, how it ended. */
export type TerminalLifecycleState = Static<typeof TerminalLifecycleStateSchema>;
