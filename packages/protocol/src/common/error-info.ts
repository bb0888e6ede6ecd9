import type { Static } from 'typebox';
import { freeForm, named, optional } from './schema.js';
import { Type } from './type.js';

export const ErrorInfoSchema = named(
  'ErrorInfo',
  Type.Object({
    errorType: Type.String(),
    message: Type.String(),
    stack: optional(Type.String()),
    _meta: optional(freeForm()),
  }),
);
/** What went wrong, for people to read. */
export type ErrorInfo = Static<typeof ErrorInfoSchema>;
