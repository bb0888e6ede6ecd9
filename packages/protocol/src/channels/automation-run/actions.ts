import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type AutomationRunLifecycle, AutomationRunLifecycleSchema } from './state.js';

export interface AutomationRunLifecycleChangedAction {
  type: 'automationRun/lifecycleChanged';
  /** How far the run is now. */
  lifecycle: AutomationRunLifecycle;
}

export const AutomationRunLifecycleChangedActionSchema = object<AutomationRunLifecycleChangedAction>(
  'AutomationRunLifecycleChangedAction',
  { type: Type.Literal('automationRun/lifecycleChanged'), lifecycle: AutomationRunLifecycleSchema },
);

export interface AutomationRunSessionSetAction {
  type: 'automationRun/sessionSet';
  /** A session that the run has from now on. */
  session: URI;
}

export const AutomationRunSessionSetActionSchema = object<AutomationRunSessionSetAction>(
  'AutomationRunSessionSetAction',
  { type: Type.Literal('automationRun/sessionSet'), session: URISchema },
);

export interface AutomationRunSessionRemovedAction {
  type: 'automationRun/sessionRemoved';
  /** A session that the run no longer has. */
  session: URI;
}

export const AutomationRunSessionRemovedActionSchema = object<AutomationRunSessionRemovedAction>(
  'AutomationRunSessionRemovedAction',
  { type: Type.Literal('automationRun/sessionRemoved'), session: URISchema },
);

export interface AutomationRunPrimarySessionChangedAction {
  type: 'automationRun/primarySessionChanged';
  /** The session to show; without it, there is none. */
  primarySession?: URI | undefined;
}

export const AutomationRunPrimarySessionChangedActionSchema = object<AutomationRunPrimarySessionChangedAction>(
  'AutomationRunPrimarySessionChangedAction',
  { type: Type.Literal('automationRun/primarySessionChanged'), primarySession: optional(URISchema) },
);

/** Asks for the end of a run, which the host then brings about. */
export interface AutomationRunCancelRequestedAction {
  type: 'automationRun/cancelRequested';
}

export const AutomationRunCancelRequestedActionSchema = object<AutomationRunCancelRequestedAction>(
  'AutomationRunCancelRequestedAction',
  { type: Type.Literal('automationRun/cancelRequested') },
);
