import { type EnumValue, enumSchema, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type UsageInfo, UsageInfoSchema } from '../../common/usage.js';
import { type Message, MessageSchema } from './message.js';
import { type ResponsePart, ResponsePartSchema } from './response-part.js';

/** How a turn ended. */
export const TurnState = {
  Complete: 'complete',
  Cancelled: 'cancelled',
  Error: 'error',
} as const;
export type TurnState = EnumValue<typeof TurnState>;
export const TurnStateSchema = enumSchema('TurnState', TurnState);

/** A message to the agent with the answer to it, finished. */
export interface Turn {
  /** Unique within the chat. */
  id: string;
  /** When it began, as an ISO time. */
  startedAt?: string | undefined;
  /** In milliseconds. */
  duration?: number | undefined;
  /** The message that the turn answers. */
  message: Message;
  /** The answer: text, thoughts, tool calls and questions, in order. */
  responseParts: ResponsePart[];
  /** What it used, as far as the agent reports it. */
  usage?: UsageInfo | undefined;
  /** How it ended. */
  state: TurnState;
}

export const TurnSchema = object<Turn>('Turn', {
  id: Type.String(),
  startedAt: optional(Type.String()),
  duration: optional(Type.Number()),
  message: MessageSchema,
  responseParts: Type.Array(ResponsePartSchema),
  usage: optional(UsageInfoSchema),
  state: TurnStateSchema,
});

/** The turn that runs. */
export interface ActiveTurn {
  /** Unique within the chat. */
  id: string;
  /** When it began, as an ISO time. */
  startedAt: string;
  /** The message that the turn answers. */
  message: Message;
  /** The answer so far. */
  responseParts: ResponsePart[];
  /** What it has used so far. */
  usage?: UsageInfo | undefined;
}

export const ActiveTurnSchema = object<ActiveTurn>('ActiveTurn', {
  id: Type.String(),
  startedAt: Type.String(),
  message: MessageSchema,
  responseParts: Type.Array(ResponsePartSchema),
  usage: optional(UsageInfoSchema),
});
