import Type, { type Static } from 'typebox';
import { named } from '../../common/schema.js';
import { URISchema } from '../../common/uri.js';

/** Our extension: marks hunks of a file as reviewed, or takes that back. Whole files have an action of the protocol. */
export const ReviewLinesParamsSchema = named(
  'ReviewLinesParams',
  Type.Object({
    /** The changeset. */
    channel: URISchema,
    /** The id of a file in it. */
    file: Type.String(),
    side: Type.Enum(['before', 'after']),
    /** Counted from 0. They select whole hunks, as the range of an operation does. */
    lines: Type.Object({ start: Type.Integer({ minimum: 0 }), count: Type.Integer({ minimum: 0 }) }),
    reviewed: Type.Boolean(),
  }),
);
export type ReviewLinesParams = Static<typeof ReviewLinesParamsSchema>;
