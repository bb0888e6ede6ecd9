import { type ChangesSummary, ChangesSummarySchema } from '../../common/changes-summary.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type SessionStatus, SessionStatusSchema } from '../../common/status.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type Changeset, ChangesetSchema } from '../changeset/state.js';
import { type BackgroundWork, BackgroundWorkSchema } from './background-work.js';
import { type Message, MessageSchema } from './message.js';
import { type PendingMessage, PendingMessageSchema } from './pending-message.js';
import { type ActiveTurn, ActiveTurnSchema, type Turn, TurnSchema } from './turn.js';

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

/** What of an answer a side chat is about. */
export interface SideChatSelection {
  /** The words that were chosen. */
  text: string;
  /** The part of the answer they are from. */
  responsePartId?: string | undefined;
}

export const SideChatSelectionSchema = object<SideChatSelection>('SideChatSelection', {
  text: Type.String(),
  responsePartId: optional(Type.String()),
});

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

/** A chat as its session lists it. Times are ISO strings. */
export interface ChatSummary {
  /** The URI of the chat. */
  resource: URI;
  /** Its name; may be empty. */
  title: string;
  /** What it does, and whether it was read; bits, see `readStatus` of the client. */
  status: SessionStatus;
  /** What it is doing, in a few words. */
  activity?: string | undefined;
  /** When something last happened in it, as an ISO time. */
  modifiedAt: string;
  /** How much it changed. */
  changes?: ChangesSummary | undefined;
  /** How it came about. */
  origin?: ChatOrigin | undefined;
  /** Whether it may be moved to another session; absent means that it may not. */
  movable?: boolean | undefined;
  /** Whether users may write to it; without it, they may. */
  interactivity?: ChatInteractivity | undefined;
  /** The folders it works in, the main one first. */
  workingDirectories?: URI[] | undefined;
}

export const ChatSummarySchema = object<ChatSummary>('ChatSummary', {
  resource: URISchema,
  title: Type.String(),
  status: SessionStatusSchema,
  activity: optional(Type.String()),
  modifiedAt: Type.String(),
  changes: optional(ChangesSummarySchema),
  origin: optional(ChatOriginSchema),
  movable: optional(Type.Boolean()),
  interactivity: optional(ChatInteractivitySchema),
  workingDirectories: optional(Type.Array(URISchema)),
});

/** The state of one conversation: finished turns, the one that runs, and what waits. */
export interface ChatState extends ChatSummary {
  /** Views of what the chat changed. */
  changesets?: Changeset[] | undefined;
  /** What goes on without a turn. */
  backgroundWork?: BackgroundWork[] | undefined;
  /** Finished turns, oldest first. */
  turns: Turn[];
  /** Where `fetchTurns` goes on when older turns are not in `turns`. */
  turnsNextCursor?: string | undefined;
  /** The turn that runs. */
  activeTurn?: ActiveTurn | undefined;
  /** A message for the running turn that the agent has not taken yet. */
  steeringMessage?: PendingMessage | undefined;
  /** Messages for the turns to come, in this order. */
  queuedMessages?: PendingMessage[] | undefined;
  /** What somebody has typed and not sent. Everybody sees it. */
  draft?: Message | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatStateSchema = object<ChatState>('ChatState', {
  ...ChatSummarySchema.properties,
  changesets: optional(Type.Array(ChangesetSchema)),
  backgroundWork: optional(Type.Array(BackgroundWorkSchema)),
  turns: Type.Array(TurnSchema),
  turnsNextCursor: optional(Type.String()),
  activeTurn: optional(ActiveTurnSchema),
  steeringMessage: optional(PendingMessageSchema),
  queuedMessages: optional(Type.Array(PendingMessageSchema)),
  draft: optional(MessageSchema),
  _meta: optional(freeForm()),
});
