import Type, { type Static } from 'typebox';
import { named, partial } from '../../common/schema.js';
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
