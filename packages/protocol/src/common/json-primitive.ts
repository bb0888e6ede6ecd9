import { named } from './schema.js';
import { type Static, Type } from './type.js';

export const JsonPrimitiveSchema = named(
  'JsonPrimitive',
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
);
/** A value of a setting that is neither a list nor an object. */
export type JsonPrimitive = Static<typeof JsonPrimitiveSchema>;
