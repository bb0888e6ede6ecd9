import { object, optional, type Partially, partial } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type SessionSummary, SessionSummarySchema } from '../session/summary.js';

export interface SessionAddedParams {
  channel: URI;
  summary: SessionSummary;
}

export const SessionAddedParamsSchema = object<SessionAddedParams>('SessionAddedParams', {
  channel: URISchema,
  summary: SessionSummarySchema,
});

export interface SessionRemovedParams {
  channel: URI;
  session: URI;
}

export const SessionRemovedParamsSchema = object<SessionRemovedParams>('SessionRemovedParams', {
  channel: URISchema,
  session: URISchema,
});

export interface SessionSummaryChangedParams {
  channel: URI;
  session: URI;
  changes: Partially<SessionSummary>;
}

export const SessionSummaryChangedParamsSchema = object<SessionSummaryChangedParams>('SessionSummaryChangedParams', {
  channel: URISchema,
  session: URISchema,
  changes: partial(SessionSummarySchema),
});

/** How far a request is that takes long; the token is the one that came with the request. */
export interface ProgressParams {
  channel: URI;
  progressToken: string;
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export const ProgressParamsSchema = object<ProgressParams>('ProgressParams', {
  channel: URISchema,
  progressToken: Type.String(),
  progress: Type.Number(),
  total: optional(Type.Number()),
  message: optional(Type.String()),
});
