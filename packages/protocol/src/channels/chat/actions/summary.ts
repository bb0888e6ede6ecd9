import { object, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type URI, URISchema } from '../../../common/uri.js';
import { type Changeset, ChangesetSchema } from '../../changeset/state.js';
import { type BackgroundWork, BackgroundWorkSchema } from '../background-work.js';
import { type Message, MessageSchema } from '../message.js';

export interface ChatActivityChangedAction {
  type: 'chat/activityChanged';
  /** What the chat is doing, in a few words. */
  activity?: string | undefined;
}

export const ChatActivityChangedActionSchema = object<ChatActivityChangedAction>('ChatActivityChangedAction', {
  type: Type.Literal('chat/activityChanged'),
  activity: optional(Type.String()),
});

export interface ChatIsReadChangedAction {
  type: 'chat/isReadChanged';
  /** Whether a user has seen the newest. */
  isRead: boolean;
}

export const ChatIsReadChangedActionSchema = object<ChatIsReadChangedAction>('ChatIsReadChangedAction', {
  type: Type.Literal('chat/isReadChanged'),
  isRead: Type.Boolean(),
});

export interface ChatIsArchivedChangedAction {
  type: 'chat/isArchivedChanged';
  /** Whether a user has put it away. */
  isArchived: boolean;
}

export const ChatIsArchivedChangedActionSchema = object<ChatIsArchivedChangedAction>('ChatIsArchivedChangedAction', {
  type: Type.Literal('chat/isArchivedChanged'),
  isArchived: Type.Boolean(),
});

export interface ChatMovableChangedAction {
  type: 'chat/movableChanged';
  /** Whether it may be moved to another session. */
  movable: boolean;
}

export const ChatMovableChangedActionSchema = object<ChatMovableChangedAction>('ChatMovableChangedAction', {
  type: Type.Literal('chat/movableChanged'),
  movable: Type.Boolean(),
});

export interface ChatWorkingDirectorySetAction {
  type: 'chat/workingDirectorySet';
  /** The `file:` URI of the folder. */
  directory: URI;
}

export const ChatWorkingDirectorySetActionSchema = object<ChatWorkingDirectorySetAction>(
  'ChatWorkingDirectorySetAction',
  {
    type: Type.Literal('chat/workingDirectorySet'),
    directory: URISchema,
  },
);

export interface ChatWorkingDirectoryRemovedAction {
  type: 'chat/workingDirectoryRemoved';
  /** The `file:` URI of the folder. */
  directory: URI;
}

export const ChatWorkingDirectoryRemovedActionSchema = object<ChatWorkingDirectoryRemovedAction>(
  'ChatWorkingDirectoryRemovedAction',
  {
    type: Type.Literal('chat/workingDirectoryRemoved'),
    directory: URISchema,
  },
);

export interface ChatDraftChangedAction {
  type: 'chat/draftChanged';
  /** What is typed and not sent; without it, nothing. */
  draft?: Message | undefined;
}

export const ChatDraftChangedActionSchema = object<ChatDraftChangedAction>('ChatDraftChangedAction', {
  type: Type.Literal('chat/draftChanged'),
  draft: optional(MessageSchema),
});

export interface ChatChangesetsChangedAction {
  type: 'chat/changesetsChanged';
  /** Views of what the chat changed. */
  changesets?: Changeset[] | undefined;
}

export const ChatChangesetsChangedActionSchema = object<ChatChangesetsChangedAction>('ChatChangesetsChangedAction', {
  type: Type.Literal('chat/changesetsChanged'),
  changesets: optional(Type.Array(ChangesetSchema)),
});

export interface ChatBackgroundWorkSetAction {
  type: 'chat/backgroundWorkSet';
  /** The work to add, or to replace the one with its id. */
  work: BackgroundWork;
}

export const ChatBackgroundWorkSetActionSchema = object<ChatBackgroundWorkSetAction>('ChatBackgroundWorkSetAction', {
  type: Type.Literal('chat/backgroundWorkSet'),
  work: BackgroundWorkSchema,
});

export interface ChatBackgroundWorkRemovedAction {
  type: 'chat/backgroundWorkRemoved';
  /** The work that is over. */
  id: string;
}

export const ChatBackgroundWorkRemovedActionSchema = object<ChatBackgroundWorkRemovedAction>(
  'ChatBackgroundWorkRemovedAction',
  {
    type: Type.Literal('chat/backgroundWorkRemoved'),
    id: Type.String(),
  },
);
