import type { Static } from 'typebox';
import { freeForm, named, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { UsageInfoSchema } from '../../../common/usage.js';
import { MessageSchema } from '../message.js';
import { ErrorResponsePartSchema } from '../response-part.js';
import { TurnSchema } from '../turn.js';

export const ChatTurnStartedActionSchema = named(
  'ChatTurnStartedAction',
  Type.Object({
    type: Type.Literal('chat/turnStarted'),
    turnId: Type.String(),
    startedAt: Type.String(),
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
    duration: Type.Number(),
    _meta: optional(freeForm()),
  }),
);
export type ChatTurnCompleteAction = Static<typeof ChatTurnCompleteActionSchema>;

export const ChatTurnCancelledActionSchema = named(
  'ChatTurnCancelledAction',
  Type.Object({
    type: Type.Literal('chat/turnCancelled'),
    turnId: Type.String(),
    duration: Type.Number(),
    _meta: optional(freeForm()),
  }),
);
export type ChatTurnCancelledAction = Static<typeof ChatTurnCancelledActionSchema>;

export const ChatErrorActionSchema = named(
  'ChatErrorAction',
  Type.Object({
    type: Type.Literal('chat/error'),
    turnId: Type.String(),
    duration: Type.Number(),
    part: ErrorResponsePartSchema,
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

export const ChatTurnResumeActionSchema = named(
  'ChatTurnResumeAction',
  Type.Object({
    type: Type.Literal('chat/turnResume'),
    turnId: Type.String(),
  }),
);
export type ChatTurnResumeAction = Static<typeof ChatTurnResumeActionSchema>;

export const ChatTurnsLoadedActionSchema = named(
  'ChatTurnsLoadedAction',
  Type.Object({
    type: Type.Literal('chat/turnsLoaded'),
    turns: Type.Array(TurnSchema),
    turnsNextCursor: optional(Type.String()),
  }),
);
export type ChatTurnsLoadedAction = Static<typeof ChatTurnsLoadedActionSchema>;

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
