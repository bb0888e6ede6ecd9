import type { Static } from 'typebox';
import { named } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { SessionInputRequestSchema } from '../input-needed.js';

export const SessionInputNeededSetActionSchema = named(
  'SessionInputNeededSetAction',
  Type.Object({
    type: Type.Literal('session/inputNeededSet'),
    request: SessionInputRequestSchema,
  }),
);
export type SessionInputNeededSetAction = Static<typeof SessionInputNeededSetActionSchema>;

export const SessionInputNeededRemovedActionSchema = named(
  'SessionInputNeededRemovedAction',
  Type.Object({
    type: Type.Literal('session/inputNeededRemoved'),
    id: Type.String(),
  }),
);
export type SessionInputNeededRemovedAction = Static<typeof SessionInputNeededRemovedActionSchema>;
