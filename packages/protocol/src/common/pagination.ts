import { object, optional } from './schema.js';
import { Type } from './type.js';

/** Which page of a list is asked for; without a cursor it is the first. */
export interface PaginatedParams {
  /** The most items to answer with. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export const PaginatedParamsSchema = object<PaginatedParams>('PaginatedParams', {
  limit: optional(Type.Integer()),
  cursor: optional(Type.String()),
});

/** Where the next page begins; absent on the last one. */
export interface PaginatedResult {
  /** Where the next page begins; without it, this was the last. */
  nextCursor?: string | undefined;
}

export const PaginatedResultSchema = object<PaginatedResult>('PaginatedResult', {
  nextCursor: optional(Type.String()),
});
