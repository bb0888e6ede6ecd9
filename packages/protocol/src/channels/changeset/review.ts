import { object } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** Our extension: marks hunks of a file as reviewed, or takes that back. Whole files have an action of the protocol. */
export interface ReviewLinesParams {
  /** The changeset. */
  channel: URI;
  /** The id of a file in it. */
  file: string;
  /** Which version of the file the lines are in. */
  side: 'before' | 'after';
  /** Counted from 0. They select whole hunks, as the range of an operation does. */
  lines: { start: number; count: number };
  /** Whether it counts as reviewed from now on. */
  reviewed: boolean;
}

export const ReviewLinesParamsSchema = object<ReviewLinesParams>('ReviewLinesParams', {
  channel: URISchema,
  file: Type.String(),
  side: Type.Enum(['before', 'after']),
  lines: Type.Object({ start: Type.Integer({ minimum: 0 }), count: Type.Integer({ minimum: 0 }) }),
  reviewed: Type.Boolean(),
});
