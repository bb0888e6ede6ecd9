import { object, optional } from './schema.js';
import { Type } from './type.js';

/** How much was changed. */
export interface ChangesSummary {
  /** Lines added. */
  additions?: number | undefined;
  /** Lines removed. */
  deletions?: number | undefined;
  /** Files changed. */
  files?: number | undefined;
}

export const ChangesSummarySchema = object<ChangesSummary>('ChangesSummary', {
  additions: optional(Type.Integer()),
  deletions: optional(Type.Integer()),
  files: optional(Type.Integer()),
});
