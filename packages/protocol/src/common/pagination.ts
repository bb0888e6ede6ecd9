import type { Static } from 'typebox';
import { named, optional } from './schema.js';
import { Type } from './type.js';

export const PaginatedParamsSchema = named(
  'PaginatedParams',
  Type.Object({
    limit: optional(Type.Integer()),
    cursor: optional(Type.String()),
  }),
);
/** Which page of a list is asked for; without a cursor it is the first. */
export type PaginatedParams = Static<typeof PaginatedParamsSchema>;

export const PaginatedResultSchema = named(
  'PaginatedResult',
  Type.Object({
    nextCursor: optional(Type.String()),
  }),
);
/** Where the next page begins; absent on the last one. */
export type PaginatedResult = Static<typeof PaginatedResultSchema>;
