import type { Static } from 'typebox';
import { ErrorInfoSchema } from '../../../common/error-info.js';
import { named } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';

export const SessionReadyActionSchema = named(
  'SessionReadyAction',
  Type.Object({
    type: Type.Literal('session/ready'),
  }),
);
export type SessionReadyAction = Static<typeof SessionReadyActionSchema>;

export const SessionCreationFailedActionSchema = named(
  'SessionCreationFailedAction',
  Type.Object({
    type: Type.Literal('session/creationFailed'),
    error: ErrorInfoSchema,
  }),
);
export type SessionCreationFailedAction = Static<typeof SessionCreationFailedActionSchema>;
