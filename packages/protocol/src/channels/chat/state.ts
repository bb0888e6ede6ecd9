import Type, { type Static } from 'typebox';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { AgentSelectionSchema, ModelSelectionSchema } from '../../common/selection.js';
import { SessionStatusSchema } from '../../common/status.js';
import { URISchema } from '../../common/uri.js';
import { ChatInputRequestSchema } from './input-request.js';
import { PendingMessageSchema } from './pending-message.js';
import { ActiveTurnSchema, TurnSchema } from './turn.js';

/** How a chat came about; a tool starts one for a sub-agent. */
export const ChatOriginKind = {
  User: 'user',
  Fork: 'fork',
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

export const ChatOriginSchema = named(
  'ChatOrigin',
  Type.Union([
    Type.Object({ kind: Type.Literal(ChatOriginKind.User) }),
    Type.Object({ kind: Type.Literal(ChatOriginKind.Fork), chat: URISchema, turnId: Type.String() }),
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
    model: optional(ModelSelectionSchema),
    agent: optional(AgentSelectionSchema),
    origin: optional(ChatOriginSchema),
    interactivity: optional(ChatInteractivitySchema),
    workingDirectory: optional(URISchema),
  }),
);
/** A chat as its session lists it. Times are ISO strings. */
export type ChatSummary = Static<typeof ChatSummarySchema>;

export const ChatStateSchema = named(
  'ChatState',
  Type.Object({
    ...ChatSummarySchema.properties,
    turns: Type.Array(TurnSchema),
    activeTurn: optional(ActiveTurnSchema),
    steeringMessage: optional(PendingMessageSchema),
    queuedMessages: optional(Type.Array(PendingMessageSchema)),
    inputRequests: optional(Type.Array(ChatInputRequestSchema)),
    _meta: optional(freeForm()),
  }),
);
/** The state of one conversation: finished turns, the one that runs, and what waits. */
export type ChatState = Static<typeof ChatStateSchema>;
