import type { Static } from 'typebox';
import { ChangesSummarySchema } from '../../common/changes-summary.js';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { SessionStatusSchema } from '../../common/status.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { ChangesetSchema } from '../changeset/state.js';
import { BackgroundWorkSchema } from './background-work.js';
import { MessageSchema } from './message.js';
import { PendingMessageSchema } from './pending-message.js';
import { ActiveTurnSchema, TurnSchema } from './turn.js';

/** How a chat came about; a tool starts one for a sub-agent. */
export const ChatOriginKind = {
  User: 'user',
  Fork: 'fork',
  SideChat: 'sideChat',
  Tool: 'tool',
} as const;
export type ChatOriginKind = EnumValue<typeof ChatOriginKind>;
export const ChatOriginKindSchema = enumSchema('ChatOriginKind', ChatOriginKind);

/** Whether users may write to a chat, or even see it. */
export const ChatInteractivity = {
  Full: 'full',
  ReadOnly: 'read-only',
  Hidden: 'hidden',
} as const;
export type ChatInteractivity = EnumValue<typeof ChatInteractivity>;
export const ChatInteractivitySchema = enumSchema('ChatInteractivity', ChatInteractivity);

export const SideChatSelectionSchema = named(
  'SideChatSelection',
  Type.Object({
    text: Type.String(),
    responsePartId: optional(Type.String()),
  }),
);
/** What of an answer a side chat is about. */
export type SideChatSelection = Static<typeof SideChatSelectionSchema>;

export const ChatOriginSchema = named(
  'ChatOrigin',
  Type.Union([
    Type.Object({ kind: Type.Literal(ChatOriginKind.User) }),
    Type.Object({ kind: Type.Literal(ChatOriginKind.Fork), chat: URISchema, turnId: Type.String() }),
    Type.Object({
      kind: Type.Literal(ChatOriginKind.SideChat),
      chat: URISchema,
      turnId: Type.String(),
      selection: optional(SideChatSelectionSchema),
    }),
    Type.Object({ kind: Type.Literal(ChatOriginKind.Tool), chat: URISchema, toolCallId: Type.String() }),
  ]),
);
export type ChatOrigin = Static<typeof ChatOriginSchema>;

export const ChatSummarySchema = named(
  'ChatSummary',
  Type.Object({
    resource: URISchema,
    title: Type.String(),
    status: SessionStatusSchema,
    activity: optional(Type.String()),
    modifiedAt: Type.String(),
    changes: optional(ChangesSummarySchema),
    origin: optional(ChatOriginSchema),
    /** Whether it may be moved to another session; absent means that it may not. */
    movable: optional(Type.Boolean()),
    interactivity: optional(ChatInteractivitySchema),
    workingDirectories: optional(Type.Array(URISchema)),
  }),
);
/** A chat as its session lists it. Times are ISO strings. */
export type ChatSummary = Static<typeof ChatSummarySchema>;

export const ChatStateSchema = named(
  'ChatState',
  Type.Object({
    ...ChatSummarySchema.properties,
    changesets: optional(Type.Array(ChangesetSchema)),
    backgroundWork: optional(Type.Array(BackgroundWorkSchema)),
    turns: Type.Array(TurnSchema),
    /** Where `fetchTurns` goes on when older turns are not in `turns`. */
    turnsNextCursor: optional(Type.String()),
    activeTurn: optional(ActiveTurnSchema),
    steeringMessage: optional(PendingMessageSchema),
    queuedMessages: optional(Type.Array(PendingMessageSchema)),
    draft: optional(MessageSchema),
    _meta: optional(freeForm()),
  }),
);
/** The state of one conversation: finished turns, the one that runs, and what waits. */
export type ChatState = Static<typeof ChatStateSchema>;
