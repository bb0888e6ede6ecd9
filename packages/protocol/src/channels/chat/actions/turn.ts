import { freeForm, object, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type UsageInfo, UsageInfoSchema } from '../../../common/usage.js';
import { type Message, MessageSchema } from '../message.js';
import { type ErrorResponsePart, ErrorResponsePartSchema } from '../response-part.js';
import { type Turn, TurnSchema } from '../turn.js';

export interface ChatTurnStartedAction {
  type: 'chat/turnStarted';
  /** The turn that it is about. */
  turnId: string;
  /** When it began, as an ISO time. */
  startedAt: string;
  /** The message that the turn answers. */
  message: Message;
  /** The queued message that it is, if it is one. */
  queuedMessageId?: string | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatTurnStartedActionSchema = object<ChatTurnStartedAction>('ChatTurnStartedAction', {
  type: Type.Literal('chat/turnStarted'),
  turnId: Type.String(),
  startedAt: Type.String(),
  message: MessageSchema,
  queuedMessageId: optional(Type.String()),
  _meta: optional(freeForm()),
});

export interface ChatTurnCompleteAction {
  type: 'chat/turnComplete';
  /** The turn that it is about. */
  turnId: string;
  /** How long the turn took, in milliseconds. */
  duration: number;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatTurnCompleteActionSchema = object<ChatTurnCompleteAction>('ChatTurnCompleteAction', {
  type: Type.Literal('chat/turnComplete'),
  turnId: Type.String(),
  duration: Type.Number(),
  _meta: optional(freeForm()),
});

export interface ChatTurnCancelledAction {
  type: 'chat/turnCancelled';
  /** The turn that it is about. */
  turnId: string;
  /** How long the turn took, in milliseconds. */
  duration: number;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatTurnCancelledActionSchema = object<ChatTurnCancelledAction>('ChatTurnCancelledAction', {
  type: Type.Literal('chat/turnCancelled'),
  turnId: Type.String(),
  duration: Type.Number(),
  _meta: optional(freeForm()),
});

export interface ChatErrorAction {
  type: 'chat/error';
  /** The turn that it is about. */
  turnId: string;
  /** How long the turn took, in milliseconds. */
  duration: number;
  /** What went wrong. */
  part: ErrorResponsePart;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatErrorActionSchema = object<ChatErrorAction>('ChatErrorAction', {
  type: Type.Literal('chat/error'),
  turnId: Type.String(),
  duration: Type.Number(),
  part: ErrorResponsePartSchema,
  _meta: optional(freeForm()),
});

export interface ChatTruncatedAction {
  type: 'chat/truncated';
  /** The turn that it is about. */
  turnId?: string | undefined;
}

export const ChatTruncatedActionSchema = object<ChatTruncatedAction>('ChatTruncatedAction', {
  type: Type.Literal('chat/truncated'),
  turnId: optional(Type.String()),
});

export interface ChatTurnResumeAction {
  type: 'chat/turnResume';
  /** The turn that it is about. */
  turnId: string;
}

export const ChatTurnResumeActionSchema = object<ChatTurnResumeAction>('ChatTurnResumeAction', {
  type: Type.Literal('chat/turnResume'),
  turnId: Type.String(),
});

export interface ChatTurnsLoadedAction {
  type: 'chat/turnsLoaded';
  /** Earlier turns, oldest first. */
  turns: Turn[];
  /** Where `fetchTurns` goes on; without it, these were the first. */
  turnsNextCursor?: string | undefined;
}

export const ChatTurnsLoadedActionSchema = object<ChatTurnsLoadedAction>('ChatTurnsLoadedAction', {
  type: Type.Literal('chat/turnsLoaded'),
  turns: Type.Array(TurnSchema),
  turnsNextCursor: optional(Type.String()),
});

export interface ChatUsageAction {
  type: 'chat/usage';
  /** The turn that it is about. */
  turnId: string;
  /** What the turn has used so far. */
  usage: UsageInfo;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatUsageActionSchema = object<ChatUsageAction>('ChatUsageAction', {
  type: Type.Literal('chat/usage'),
  turnId: Type.String(),
  usage: UsageInfoSchema,
  _meta: optional(freeForm()),
});
