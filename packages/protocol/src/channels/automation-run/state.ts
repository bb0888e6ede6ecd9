import { type ErrorInfo, ErrorInfoSchema } from '../../common/error-info.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type UsageInfo, UsageInfoSchema } from '../../common/usage.js';

/** How a run came about. */
export const AutomationRunOriginKind = {
  Manual: 'manual',
  Trigger: 'trigger',
} as const;
export type AutomationRunOriginKind = EnumValue<typeof AutomationRunOriginKind>;
export const AutomationRunOriginKindSchema = enumSchema('AutomationRunOriginKind', AutomationRunOriginKind);

export interface AutomationManualRunOrigin {
  kind: 'manual';
}

export const AutomationManualRunOriginSchema = object<AutomationManualRunOrigin>('AutomationManualRunOrigin', {
  kind: Type.Literal(AutomationRunOriginKind.Manual),
});

export interface AutomationTriggeredRunOrigin {
  kind: 'trigger';
  /** The trigger of the automation. */
  triggerId: string;
  /** When a schedule wanted it, as an ISO time. */
  scheduledFor?: string | undefined;
  /** Whether it makes up for one that was missed. */
  catchUp?: boolean | undefined;
  /** What happened. */
  event?: Record<string, unknown> | undefined;
}

export const AutomationTriggeredRunOriginSchema = object<AutomationTriggeredRunOrigin>('AutomationTriggeredRunOrigin', {
  kind: Type.Literal(AutomationRunOriginKind.Trigger),
  triggerId: Type.String(),
  scheduledFor: optional(Type.String()),
  catchUp: optional(Type.Boolean()),
  event: optional(freeForm()),
});

export const AutomationRunOriginSchema = named(
  'AutomationRunOrigin',
  Type.Union([AutomationManualRunOriginSchema, AutomationTriggeredRunOriginSchema]),
);
export type AutomationRunOrigin = Static<typeof AutomationRunOriginSchema>;

/** How far a run is. */
export const AutomationRunStatus = {
  Pending: 'pending',
  Running: 'running',
  Completed: 'completed',
  Failed: 'failed',
  Cancelled: 'cancelled',
} as const;
export type AutomationRunStatus = EnumValue<typeof AutomationRunStatus>;
export const AutomationRunStatusSchema = enumSchema('AutomationRunStatus', AutomationRunStatus);

/** It is decided that there is a run; nothing has begun yet. All times are ISO times. */
export interface AutomationPendingRunLifecycle {
  status: 'pending';
  /** When the run was decided on. */
  createdAt: string;
}

export const AutomationPendingRunLifecycleSchema = object<AutomationPendingRunLifecycle>(
  'AutomationPendingRunLifecycle',
  { status: Type.Literal(AutomationRunStatus.Pending), createdAt: Type.String() },
);

export interface AutomationRunningRunLifecycle {
  status: 'running';
  /** When the run was decided on. */
  createdAt: string;
  /** When its session was made. */
  startedAt: string;
}

export const AutomationRunningRunLifecycleSchema = object<AutomationRunningRunLifecycle>(
  'AutomationRunningRunLifecycle',
  { status: Type.Literal(AutomationRunStatus.Running), createdAt: Type.String(), startedAt: Type.String() },
);

export interface AutomationCompletedRunLifecycle {
  status: 'completed';
  /** When the run was decided on. */
  createdAt: string;
  /** When its session was made. */
  startedAt: string;
  /** When the agent was done. */
  completedAt: string;
  /** What it used. */
  usage?: UsageInfo | undefined;
}

export const AutomationCompletedRunLifecycleSchema = object<AutomationCompletedRunLifecycle>(
  'AutomationCompletedRunLifecycle',
  {
    status: Type.Literal(AutomationRunStatus.Completed),
    createdAt: Type.String(),
    startedAt: Type.String(),
    completedAt: Type.String(),
    usage: optional(UsageInfoSchema),
  },
);

export interface AutomationFailedRunLifecycle {
  status: 'failed';
  /** When the run was decided on. */
  createdAt: string;
  /** When its session was made, if it was. */
  startedAt?: string | undefined;
  /** When it failed. */
  completedAt: string;
  /** Why. */
  error: ErrorInfo;
}

export const AutomationFailedRunLifecycleSchema = object<AutomationFailedRunLifecycle>('AutomationFailedRunLifecycle', {
  status: Type.Literal(AutomationRunStatus.Failed),
  createdAt: Type.String(),
  startedAt: optional(Type.String()),
  completedAt: Type.String(),
  error: ErrorInfoSchema,
});

export interface AutomationCancelledRunLifecycle {
  status: 'cancelled';
  /** When the run was decided on. */
  createdAt: string;
  /** When its session was made, if it was. */
  startedAt?: string | undefined;
  /** When it was cancelled. */
  completedAt: string;
}

export const AutomationCancelledRunLifecycleSchema = object<AutomationCancelledRunLifecycle>(
  'AutomationCancelledRunLifecycle',
  {
    status: Type.Literal(AutomationRunStatus.Cancelled),
    createdAt: Type.String(),
    startedAt: optional(Type.String()),
    completedAt: Type.String(),
  },
);

export const AutomationRunLifecycleSchema = named(
  'AutomationRunLifecycle',
  Type.Union([
    AutomationPendingRunLifecycleSchema,
    AutomationRunningRunLifecycleSchema,
    AutomationCompletedRunLifecycleSchema,
    AutomationFailedRunLifecycleSchema,
    AutomationCancelledRunLifecycleSchema,
  ]),
);
export type AutomationRunLifecycle = Static<typeof AutomationRunLifecycleSchema>;

/** A run as its automation shows it. */
export interface AutomationRunSummary {
  /** The channel of the run. */
  resource: URI;
  /** The automation. */
  automation: URI;
  /** How it came about. */
  origin: AutomationRunOrigin;
  /** How far it is. */
  lifecycle: AutomationRunLifecycle;
  /** The session to show. */
  primarySession?: URI | undefined;
  /** How many sessions it has. */
  sessionCount: number;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const AutomationRunSummarySchema = object<AutomationRunSummary>('AutomationRunSummary', {
  resource: URISchema,
  automation: URISchema,
  origin: AutomationRunOriginSchema,
  lifecycle: AutomationRunLifecycleSchema,
  primarySession: optional(URISchema),
  sessionCount: Type.Integer(),
  _meta: optional(freeForm()),
});

/** The state of the channel of a run. */
export interface AutomationRunState {
  /** The channel itself. */
  resource: URI;
  /** The automation. */
  automation: URI;
  /** How it came about. */
  origin: AutomationRunOrigin;
  /** How far it is. */
  lifecycle: AutomationRunLifecycle;
  /** Its sessions. */
  sessions: URI[];
  /** The session to show. */
  primarySession?: URI | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const AutomationRunStateSchema = object<AutomationRunState>('AutomationRunState', {
  resource: URISchema,
  automation: URISchema,
  origin: AutomationRunOriginSchema,
  lifecycle: AutomationRunLifecycleSchema,
  sessions: Type.Array(URISchema),
  primarySession: optional(URISchema),
  _meta: optional(freeForm()),
});
