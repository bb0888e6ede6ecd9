import { object, optional } from './schema.js';
import { Type } from './type.js';

/** How much was changed. */
export interface ChangesSummary {
  additions?: number | undefined;
  deletions?: number | undefined;
  files?: number | undefined;
}

export const ChangesSummarySchema = object<ChangesSummary>('ChangesSummary', {
  additions: optional(Type.Integer()),
  deletions: optional(Type.Integer()),
  files: optional(Type.Integer()),
});
