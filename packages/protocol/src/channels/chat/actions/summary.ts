import type { Static } from 'typebox';
import { named, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { URISchema } from '../../../common/uri.js';
import { ChangesetSchema } from '../../changeset/state.js';
import { BackgroundWorkSchema } from '../background-work.js';
import { MessageSchema } from '../message.js';

export const ChatActivityChangedActionSchema = named(
  'ChatActivityChangedAction',
  Type.Object({
    type: Type.Literal('chat/activityChanged'),
    activity: optional(Type.String()),
  }),
);
export type ChatActivityChangedAction = Static<typeof ChatActivityChangedActionSchema>;

export const ChatIsReadChangedActionSchema = named(
  'ChatIsReadChangedAction',
  Type.Object({
    type: Type.Literal('chat/isReadChanged'),
    isRead: Type.Boolean(),
  }),
);
export type ChatIsReadChangedAction = Static<typeof ChatIsReadChangedActionSchema>;

export const ChatIsArchivedChangedActionSchema = named(
  'ChatIsArchivedChangedAction',
  Type.Object({
    type: Type.Literal('chat/isArchivedChanged'),
    isArchived: Type.Boolean(),
  }),
);
export type ChatIsArchivedChangedAction = Static<typeof ChatIsArchivedChangedActionSchema>;

export const ChatMovableChangedActionSchema = named(
  'ChatMovableChangedAction',
  Type.Object({
    type: Type.Literal('chat/movableChanged'),
    movable: Type.Boolean(),
  }),
);
export type ChatMovableChangedAction = Static<typeof ChatMovableChangedActionSchema>;

export const ChatWorkingDirectorySetActionSchema = named(
  'ChatWorkingDirectorySetAction',
  Type.Object({
    type: Type.Literal('chat/workingDirectorySet'),
    directory: URISchema,
  }),
);
export type ChatWorkingDirectorySetAction = Static<typeof ChatWorkingDirectorySetActionSchema>;

export const ChatWorkingDirectoryRemovedActionSchema = named(
  'ChatWorkingDirectoryRemovedAction',
  Type.Object({
    type: Type.Literal('chat/workingDirectoryRemoved'),
    directory: URISchema,
  }),
);
export type ChatWorkingDirectoryRemovedAction = Static<typeof ChatWorkingDirectoryRemovedActionSchema>;

export const ChatDraftChangedActionSchema = named(
  'ChatDraftChangedAction',
  Type.Object({
    type: Type.Literal('chat/draftChanged'),
    draft: optional(MessageSchema),
  }),
);
export type ChatDraftChangedAction = Static<typeof ChatDraftChangedActionSchema>;

export const ChatChangesetsChangedActionSchema = named(
  'ChatChangesetsChangedAction',
  Type.Object({
    type: Type.Literal('chat/changesetsChanged'),
    changesets: optional(Type.Array(ChangesetSchema)),
  }),
);
export type ChatChangesetsChangedAction = Static<typeof ChatChangesetsChangedActionSchema>;

export const ChatBackgroundWorkSetActionSchema = named(
  'ChatBackgroundWorkSetAction',
  Type.Object({
    type: Type.Literal('chat/backgroundWorkSet'),
    work: BackgroundWorkSchema,
  }),
);
export type ChatBackgroundWorkSetAction = Static<typeof ChatBackgroundWorkSetActionSchema>;

export const ChatBackgroundWorkRemovedActionSchema = named(
  'ChatBackgroundWorkRemovedAction',
  Type.Object({
    type: Type.Literal('chat/backgroundWorkRemoved'),
    id: Type.String(),
  }),
);
export type ChatBackgroundWorkRemovedAction = Static<typeof ChatBackgroundWorkRemovedActionSchema>;
