import type { Static } from 'typebox';
import { freeForm, named, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { ResponsePartSchema } from '../response-part.js';

export const ChatResponsePartActionSchema = named(
  'ChatResponsePartAction',
  Type.Object({
    type: Type.Literal('chat/responsePart'),
    turnId: Type.String(),
    part: ResponsePartSchema,
    _meta: optional(freeForm()),
  }),
);
export type ChatResponsePartAction = Static<typeof ChatResponsePartActionSchema>;

export const ChatDeltaActionSchema = named(
  'ChatDeltaAction',
  Type.Object({
    type: Type.Literal('chat/delta'),
    turnId: Type.String(),
    partId: Type.String(),
    content: Type.String(),
    _meta: optional(freeForm()),
  }),
);
export type ChatDeltaAction = Static<typeof ChatDeltaActionSchema>;

export const ChatReasoningActionSchema = named(
  'ChatReasoningAction',
  Type.Object({
    type: Type.Literal('chat/reasoning'),
    turnId: Type.String(),
    partId: Type.String(),
    content: Type.String(),
    _meta: optional(freeForm()),
  }),
);
export type ChatReasoningAction = Static<typeof ChatReasoningActionSchema>;
