import { object, optional } from './schema.js';
import { Type } from './type.js';

/** Which page of a list is asked for; without a cursor it is the first. */
export interface PaginatedParams {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export const PaginatedParamsSchema = object<PaginatedParams>('PaginatedParams', {
  limit: optional(Type.Integer()),
  cursor: optional(Type.String()),
});

/** Where the next page begins; absent on the last one. */
export interface PaginatedResult {
  nextCursor?: string | undefined;
}

export const PaginatedResultSchema = object<PaginatedResult>('PaginatedResult', {
  nextCursor: optional(Type.String()),
});
