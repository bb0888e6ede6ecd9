import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { UsageInfoSchema } from '../../common/usage.js';
import { MessageSchema } from './message.js';
import { ResponsePartSchema } from './response-part.js';

/** How a turn ended. */
export const TurnState = {
  Complete: 'complete',
  Cancelled: 'cancelled',
  Error: 'error',
} as const;
export type TurnState = EnumValue<typeof TurnState>;
export const TurnStateSchema = enumSchema('TurnState', TurnState);

export const TurnSchema = named(
  'Turn',
  Type.Object({
    id: Type.String(),
    startedAt: optional(Type.String()),
    /** In milliseconds. */
    duration: optional(Type.Number()),
    message: MessageSchema,
    responseParts: Type.Array(ResponsePartSchema),
    usage: optional(UsageInfoSchema),
    state: TurnStateSchema,
  }),
);
/** A message to the agent with the answer to it, finished. */
export type Turn = Static<typeof TurnSchema>;

export const ActiveTurnSchema = named(
  'ActiveTurn',
  Type.Object({
    id: Type.String(),
    startedAt: Type.String(),
    message: MessageSchema,
    responseParts: Type.Array(ResponsePartSchema),
    usage: optional(UsageInfoSchema),
  }),
);
/** The turn that runs. */
export type ActiveTurn = Static<typeof ActiveTurnSchema>;
