import type { Static } from 'typebox';
import { named, optional } from './schema.js';
import { Type } from './type.js';

export const ChangesSummarySchema = named(
  'ChangesSummary',
  Type.Object({
    additions: optional(Type.Integer()),
    deletions: optional(Type.Integer()),
    files: optional(Type.Integer()),
  }),
);
/** How much was changed. */
export type ChangesSummary = Static<typeof ChangesSummarySchema>;
