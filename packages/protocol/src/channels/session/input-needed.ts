import { type EnumValue, enumSchema, named, object } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type ChatInputRequest, ChatInputRequestSchema } from '../chat/input-request.js';
import {
  type ToolCallAuthRequiredState,
  ToolCallAuthRequiredStateSchema,
  type ToolCallConfirmationState,
  ToolCallConfirmationStateSchema,
  type ToolCallRunningState,
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

export interface SessionInputRequestBase {
  /** Unique within the session. */
  id: string;
  /** The chat that waits. */
  chat: URI;
}

export const SessionInputRequestBaseSchema = object<SessionInputRequestBase>('SessionInputRequestBase', {
  id: Type.String(),
  chat: URISchema,
});

export interface SessionChatInputRequest extends SessionInputRequestBase {
  kind: 'chatInput';
  /** The questions, with the id that the answer names. */
  request: ChatInputRequest;
}

export const SessionChatInputRequestSchema = object<SessionChatInputRequest>('SessionChatInputRequest', {
  ...SessionInputRequestBaseSchema.properties,
  kind: Type.Literal(SessionInputRequestKind.ChatInput),
  request: ChatInputRequestSchema,
});

export interface SessionToolConfirmationRequest extends SessionInputRequestBase {
  kind: 'toolConfirmation';
  /** The turn that it is about. */
  turnId: string;
  /** The call that waits for leave. */
  toolCall: ToolCallConfirmationState;
}

export const SessionToolConfirmationRequestSchema = object<SessionToolConfirmationRequest>(
  'SessionToolConfirmationRequest',
  {
    ...SessionInputRequestBaseSchema.properties,
    kind: Type.Literal(SessionInputRequestKind.ToolConfirmation),
    turnId: Type.String(),
    toolCall: ToolCallConfirmationStateSchema,
  },
);

export interface SessionToolClientExecutionRequest extends SessionInputRequestBase {
  kind: 'toolClientExecution';
  /** The turn that it is about. */
  turnId: string;
  /** The client that shall run it. */
  clientId: string;
  /** The call. */
  toolCall: ToolCallRunningState;
}

export const SessionToolClientExecutionRequestSchema = object<SessionToolClientExecutionRequest>(
  'SessionToolClientExecutionRequest',
  {
    ...SessionInputRequestBaseSchema.properties,
    kind: Type.Literal(SessionInputRequestKind.ToolClientExecution),
    turnId: Type.String(),
    clientId: Type.String(),
    toolCall: ToolCallRunningStateSchema,
  },
);

export interface SessionToolAuthenticationRequest extends SessionInputRequestBase {
  kind: 'toolAuthentication';
  /** The turn that it is about. */
  turnId: string;
  /** The call that waits for a token. */
  toolCall: ToolCallAuthRequiredState;
}

export const SessionToolAuthenticationRequestSchema = object<SessionToolAuthenticationRequest>(
  'SessionToolAuthenticationRequest',
  {
    ...SessionInputRequestBaseSchema.properties,
    kind: Type.Literal(SessionInputRequestKind.ToolAuthentication),
    turnId: Type.String(),
    toolCall: ToolCallAuthRequiredStateSchema,
  },
);

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
