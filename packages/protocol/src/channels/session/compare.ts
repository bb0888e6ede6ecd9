import { object } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type ChangesetFile, ChangesetFileSchema } from '../changeset/state.js';

/** Our extension: what two sessions made of the same files. */
export interface CompareSessionsParams {
  /** The session whose files are shown as `before`. */
  channel: URI;
  /** The session whose files are shown as `after`. */
  other: URI;
}

export const CompareSessionsParamsSchema = object<CompareSessionsParams>('CompareSessionsParams', {
  channel: URISchema,
  other: URISchema,
});

export interface CompareSessionsResult {
  /** The files that are not the same in both. */
  files: ChangesetFile[];
  /** How many more there are. */
  left: number;
}

export const CompareSessionsResultSchema = object<CompareSessionsResult>('CompareSessionsResult', {
  files: Type.Array(ChangesetFileSchema),
  left: Type.Integer(),
});
