import { freeForm, object, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type Changeset, ChangesetSchema } from '../../changeset/state.js';

export interface SessionTitleChangedAction {
  type: 'session/titleChanged';
  /** The new name. */
  title: string;
}

export const SessionTitleChangedActionSchema = object<SessionTitleChangedAction>('SessionTitleChangedAction', {
  type: Type.Literal('session/titleChanged'),
  title: Type.String(),
});

export interface SessionIsReadChangedAction {
  type: 'session/isReadChanged';
  /** Whether a user has seen the newest. */
  isRead: boolean;
}

export const SessionIsReadChangedActionSchema = object<SessionIsReadChangedAction>('SessionIsReadChangedAction', {
  type: Type.Literal('session/isReadChanged'),
  isRead: Type.Boolean(),
});

export interface SessionIsArchivedChangedAction {
  type: 'session/isArchivedChanged';
  /** Whether a user has put it away. */
  isArchived: boolean;
}

export const SessionIsArchivedChangedActionSchema = object<SessionIsArchivedChangedAction>(
  'SessionIsArchivedChangedAction',
  {
    type: Type.Literal('session/isArchivedChanged'),
    isArchived: Type.Boolean(),
  },
);

export interface SessionActivityChangedAction {
  type: 'session/activityChanged';
  /** What the session is doing, in a few words. */
  activity?: string | undefined;
}

export const SessionActivityChangedActionSchema = object<SessionActivityChangedAction>('SessionActivityChangedAction', {
  type: Type.Literal('session/activityChanged'),
  activity: optional(Type.String()),
});

export interface SessionChangesetsChangedAction {
  type: 'session/changesetsChanged';
  /** Views of what was changed. */
  changesets?: Changeset[] | undefined;
}

export const SessionChangesetsChangedActionSchema = object<SessionChangesetsChangedAction>(
  'SessionChangesetsChangedAction',
  {
    type: Type.Literal('session/changesetsChanged'),
    changesets: optional(Type.Array(ChangesetSchema)),
  },
);

export interface SessionConfigChangedAction {
  type: 'session/configChanged';
  /** Values of settings, by name. */
  config: Record<string, unknown>;
  /** Whether `config` takes the place of all values, instead of changing those that it has. */
  replace?: boolean | undefined;
}

export const SessionConfigChangedActionSchema = object<SessionConfigChangedAction>('SessionConfigChangedAction', {
  type: Type.Literal('session/configChanged'),
  config: freeForm(),
  replace: optional(Type.Boolean()),
});

export interface SessionMetaChangedAction {
  type: 'session/metaChanged';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const SessionMetaChangedActionSchema = object<SessionMetaChangedAction>('SessionMetaChangedAction', {
  type: Type.Literal('session/metaChanged'),
  _meta: optional(freeForm()),
});
