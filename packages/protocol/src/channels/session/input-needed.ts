import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { ChatInputRequestSchema } from '../chat/input-request.js';
import {
  ToolCallAuthRequiredStateSchema,
  ToolCallConfirmationStateSchema,
  ToolCallRunningStateSchema,
} from '../chat/tool-call.js';

/** What a chat waits for: an answer, an approval, a tool that a client runs, or a token. */
export const SessionInputRequestKind = {
  ChatInput: 'chatInput',
  ToolConfirmation: 'toolConfirmation',
  ToolClientExecution: 'toolClientExecution',
  ToolAuthentication: 'toolAuthentication',
} as const;
export type SessionInputRequestKind = EnumValue<typeof SessionInputRequestKind>;
export const SessionInputRequestKindSchema = enumSchema('SessionInputRequestKind', SessionInputRequestKind);

export const SessionInputRequestBaseSchema = named(
  'SessionInputRequestBase',
  Type.Object({
    id: Type.String(),
    chat: URISchema,
  }),
);
export type SessionInputRequestBase = Static<typeof SessionInputRequestBaseSchema>;

export const SessionChatInputRequestSchema = named(
  'SessionChatInputRequest',
  Type.Object({
    ...SessionInputRequestBaseSchema.properties,
    kind: Type.Literal(SessionInputRequestKind.ChatInput),
    request: ChatInputRequestSchema,
  }),
);
export type SessionChatInputRequest = Static<typeof SessionChatInputRequestSchema>;

export const SessionToolConfirmationRequestSchema = named(
  'SessionToolConfirmationRequest',
  Type.Object({
    ...SessionInputRequestBaseSchema.properties,
    kind: Type.Literal(SessionInputRequestKind.ToolConfirmation),
    turnId: Type.String(),
    toolCall: ToolCallConfirmationStateSchema,
  }),
);
export type SessionToolConfirmationRequest = Static<typeof SessionToolConfirmationRequestSchema>;

export const SessionToolClientExecutionRequestSchema = named(
  'SessionToolClientExecutionRequest',
  Type.Object({
    ...SessionInputRequestBaseSchema.properties,
    kind: Type.Literal(SessionInputRequestKind.ToolClientExecution),
    turnId: Type.String(),
    clientId: Type.String(),
    toolCall: ToolCallRunningStateSchema,
  }),
);
export type SessionToolClientExecutionRequest = Static<typeof SessionToolClientExecutionRequestSchema>;

export const SessionToolAuthenticationRequestSchema = named(
  'SessionToolAuthenticationRequest',
  Type.Object({
    ...SessionInputRequestBaseSchema.properties,
    kind: Type.Literal(SessionInputRequestKind.ToolAuthentication),
    turnId: Type.String(),
    toolCall: ToolCallAuthRequiredStateSchema,
  }),
);
export type SessionToolAuthenticationRequest = Static<typeof SessionToolAuthenticationRequestSchema>;

export const SessionInputRequestSchema = named(
  'SessionInputRequest',
  Type.Union([
    SessionChatInputRequestSchema,
    SessionToolConfirmationRequestSchema,
    SessionToolClientExecutionRequestSchema,
    SessionToolAuthenticationRequestSchema,
  ]),
);
/** Something in one of a session's chats that somebody has to do; it is answered there, with the ordinary action. */
export type SessionInputRequest = Static<typeof SessionInputRequestSchema>;
