import type { Static } from 'typebox';
import { freeForm, named, optional } from './schema.js';
import { Type } from './type.js';

export const UsageInfoSchema = named(
  'UsageInfo',
  Type.Object({
    inputTokens: optional(Type.Integer()),
    outputTokens: optional(Type.Integer()),
    model: optional(Type.String()),
    cacheReadTokens: optional(Type.Integer()),
    _meta: optional(freeForm()),
  }),
);
/** Tokens that a turn used. */
export type UsageInfo = Static<typeof UsageInfoSchema>;
