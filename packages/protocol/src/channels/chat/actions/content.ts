import { freeForm, object, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type ResponsePart, ResponsePartSchema } from '../response-part.js';

export interface ChatResponsePartAction {
  type: 'chat/responsePart';
  /** The turn that it is about. */
  turnId: string;
  /** The part that the answer goes on with. */
  part: ResponsePart;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatResponsePartActionSchema = object<ChatResponsePartAction>('ChatResponsePartAction', {
  type: Type.Literal('chat/responsePart'),
  turnId: Type.String(),
  part: ResponsePartSchema,
  _meta: optional(freeForm()),
});

export interface ChatDeltaAction {
  type: 'chat/delta';
  /** The turn that it is about. */
  turnId: string;
  /** The part of the answer that it is appended to. */
  partId: string;
  /** Text to append. */
  content: string;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatDeltaActionSchema = object<ChatDeltaAction>('ChatDeltaAction', {
  type: Type.Literal('chat/delta'),
  turnId: Type.String(),
  partId: Type.String(),
  content: Type.String(),
  _meta: optional(freeForm()),
});

export interface ChatReasoningAction {
  type: 'chat/reasoning';
  /** The turn that it is about. */
  turnId: string;
  /** The part of the answer that it is appended to. */
  partId: string;
  /** Text to append. */
  content: string;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatReasoningActionSchema = object<ChatReasoningAction>('ChatReasoningAction', {
  type: Type.Literal('chat/reasoning'),
  turnId: Type.String(),
  partId: Type.String(),
  content: Type.String(),
  _meta: optional(freeForm()),
});
