import type { Static } from 'typebox';
import { named, optional, partial } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { SessionSummarySchema } from '../session/summary.js';

export const SessionAddedParamsSchema = named(
  'SessionAddedParams',
  Type.Object({
    channel: URISchema,
    summary: SessionSummarySchema,
  }),
);
export type SessionAddedParams = Static<typeof SessionAddedParamsSchema>;

export const SessionRemovedParamsSchema = named(
  'SessionRemovedParams',
  Type.Object({
    channel: URISchema,
    session: URISchema,
  }),
);
export type SessionRemovedParams = Static<typeof SessionRemovedParamsSchema>;

export const SessionSummaryChangedParamsSchema = named(
  'SessionSummaryChangedParams',
  Type.Object({
    channel: URISchema,
    session: URISchema,
    changes: partial(SessionSummarySchema),
  }),
);
export type SessionSummaryChangedParams = Static<typeof SessionSummaryChangedParamsSchema>;

export const ProgressParamsSchema = named(
  'ProgressParams',
  Type.Object({
    channel: URISchema,
    progressToken: Type.String(),
    progress: Type.Number(),
    total: optional(Type.Number()),
    message: optional(Type.String()),
  }),
);
/** How far a request is that takes long; the token is the one that came with the request. */
export type ProgressParams = Static<typeof ProgressParamsSchema>;
