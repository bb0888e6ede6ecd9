import { type EnumValue, enumSchema, named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';

/** Whether a terminal's program still runs. */
export const TerminalLifecycleStatus = {
  Running: 'running',
  Exited: 'exited',
} as const;
export type TerminalLifecycleStatus = EnumValue<typeof TerminalLifecycleStatus>;
export const TerminalLifecycleStatusSchema = enumSchema('TerminalLifecycleStatus', TerminalLifecycleStatus);

export interface TerminalRunningLifecycleState {
  status: 'running';
}

export const TerminalRunningLifecycleStateSchema = object<TerminalRunningLifecycleState>(
  'TerminalRunningLifecycleState',
  {
    status: Type.Literal(TerminalLifecycleStatus.Running),
  },
);

export interface TerminalExitedLifecycleState {
  status: 'exited';
  /** Absent when nobody knows it. */
  exitCode?: number | undefined;
}

export const TerminalExitedLifecycleStateSchema = object<TerminalExitedLifecycleState>('TerminalExitedLifecycleState', {
  status: Type.Literal(TerminalLifecycleStatus.Exited),
  exitCode: optional(Type.Integer()),
});

export const TerminalLifecycleStateSchema = named(
  'TerminalLifecycleState',
  Type.Union([TerminalRunningLifecycleStateSchema, TerminalExitedLifecycleStateSchema]),
);
/** Whether a terminal's program still runs, and if not, how it ended. */
export type TerminalLifecycleState = Static<typeof TerminalLifecycleStateSchema>;
