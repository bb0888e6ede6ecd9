import type { Static } from 'typebox';
import { freeForm, named, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { ChangesetSchema } from '../../changeset/state.js';

export const SessionTitleChangedActionSchema = named(
  'SessionTitleChangedAction',
  Type.Object({
    type: Type.Literal('session/titleChanged'),
    title: Type.String(),
  }),
);
export type SessionTitleChangedAction = Static<typeof SessionTitleChangedActionSchema>;

export const SessionIsReadChangedActionSchema = named(
  'SessionIsReadChangedAction',
  Type.Object({
    type: Type.Literal('session/isReadChanged'),
    isRead: Type.Boolean(),
  }),
);
export type SessionIsReadChangedAction = Static<typeof SessionIsReadChangedActionSchema>;

export const SessionIsArchivedChangedActionSchema = named(
  'SessionIsArchivedChangedAction',
  Type.Object({
    type: Type.Literal('session/isArchivedChanged'),
    isArchived: Type.Boolean(),
  }),
);
export type SessionIsArchivedChangedAction = Static<typeof SessionIsArchivedChangedActionSchema>;

export const SessionActivityChangedActionSchema = named(
  'SessionActivityChangedAction',
  Type.Object({
    type: Type.Literal('session/activityChanged'),
    activity: optional(Type.String()),
  }),
);
export type SessionActivityChangedAction = Static<typeof SessionActivityChangedActionSchema>;

export const SessionChangesetsChangedActionSchema = named(
  'SessionChangesetsChangedAction',
  Type.Object({
    type: Type.Literal('session/changesetsChanged'),
    changesets: optional(Type.Array(ChangesetSchema)),
  }),
);
export type SessionChangesetsChangedAction = Static<typeof SessionChangesetsChangedActionSchema>;

export const SessionConfigChangedActionSchema = named(
  'SessionConfigChangedAction',
  Type.Object({
    type: Type.Literal('session/configChanged'),
    config: freeForm(),
    replace: optional(Type.Boolean()),
  }),
);
export type SessionConfigChangedAction = Static<typeof SessionConfigChangedActionSchema>;

export const SessionMetaChangedActionSchema = named(
  'SessionMetaChangedAction',
  Type.Object({
    type: Type.Literal('session/metaChanged'),
    _meta: optional(freeForm()),
  }),
);
export type SessionMetaChangedAction = Static<typeof SessionMetaChangedActionSchema>;
