import Type, { type Static } from 'typebox';
import { ErrorInfoSchema } from '../../../common/error-info.js';
import { freeForm, named, optional } from '../../../common/schema.js';
import { UsageInfoSchema } from '../../../common/usage.js';
import { MessageSchema } from '../message.js';

export const ChatTurnStartedActionSchema = named(
  'ChatTurnStartedAction',
  Type.Object({
    type: Type.Literal('chat/turnStarted'),
    turnId: Type.String(),
    message: MessageSchema,
    queuedMessageId: optional(Type.String()),
    _meta: optional(freeForm()),
  }),
);
export type ChatTurnStartedAction = Static<typeof ChatTurnStartedActionSchema>;

export const ChatTurnCompleteActionSchema = named(
  'ChatTurnCompleteAction',
  Type.Object({
    type: Type.Literal('chat/turnComplete'),
    turnId: Type.String(),
    _meta: optional(freeForm()),
  }),
);
export type ChatTurnCompleteAction = Static<typeof ChatTurnCompleteActionSchema>;

export const ChatTurnCancelledActionSchema = named(
  'ChatTurnCancelledAction',
  Type.Object({
    type: Type.Literal('chat/turnCancelled'),
    turnId: Type.String(),
    _meta: optional(freeForm()),
  }),
);
export type ChatTurnCancelledAction = Static<typeof ChatTurnCancelledActionSchema>;

export const ChatErrorActionSchema = named(
  'ChatErrorAction',
  Type.Object({
    type: Type.Literal('chat/error'),
    turnId: Type.String(),
    error: ErrorInfoSchema,
    _meta: optional(freeForm()),
  }),
);
export type ChatErrorAction = Static<typeof ChatErrorActionSchema>;

export const ChatTruncatedActionSchema = named(
  'ChatTruncatedAction',
  Type.Object({
    type: Type.Literal('chat/truncated'),
    turnId: optional(Type.String()),
  }),
);
export type ChatTruncatedAction = Static<typeof ChatTruncatedActionSchema>;

export const ChatUsageActionSchema = named(
  'ChatUsageAction',
  Type.Object({
    type: Type.Literal('chat/usage'),
    turnId: Type.String(),
    usage: UsageInfoSchema,
    _meta: optional(freeForm()),
  }),
);
export type ChatUsageAction = Static<typeof ChatUsageActionSchema>;
