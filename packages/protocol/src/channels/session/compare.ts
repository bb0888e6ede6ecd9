import type { Static } from 'typebox';
import { named } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { ChangesetFileSchema } from '../changeset/state.js';

/** Our extension: what two sessions made of the same files. */
export const CompareSessionsParamsSchema = named(
  'CompareSessionsParams',
  Type.Object({
    /** The session whose files are shown as `before`. */
    channel: URISchema,
    /** The session whose files are shown as `after`. */
    other: URISchema,
  }),
);
export type CompareSessionsParams = Static<typeof CompareSessionsParamsSchema>;

export const CompareSessionsResultSchema = named(
  'CompareSessionsResult',
  Type.Object({
    /** The files that are not the same in both. */
    files: Type.Array(ChangesetFileSchema),
    /** How many more there are. */
    left: Type.Integer(),
  }),
);
export type CompareSessionsResult = Static<typeof CompareSessionsResultSchema>;
