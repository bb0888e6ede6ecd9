import { object, optional, type Partially, partial } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type SessionSummary, SessionSummarySchema } from '../session/summary.js';

export interface SessionAddedParams {
  /** The channel that it is about. */
  channel: URI;
  /** The new session. */
  summary: SessionSummary;
}

export const SessionAddedParamsSchema = object<SessionAddedParams>('SessionAddedParams', {
  channel: URISchema,
  summary: SessionSummarySchema,
});

export interface SessionRemovedParams {
  /** The channel that it is about. */
  channel: URI;
  /** The session that is gone. */
  session: URI;
}

export const SessionRemovedParamsSchema = object<SessionRemovedParams>('SessionRemovedParams', {
  channel: URISchema,
  session: URISchema,
});

export interface SessionSummaryChangedParams {
  /** The channel that it is about. */
  channel: URI;
  /** The URI of the session. */
  session: URI;
  /** Only what has changed. */
  changes: Partially<SessionSummary>;
}

export const SessionSummaryChangedParamsSchema = object<SessionSummaryChangedParams>('SessionSummaryChangedParams', {
  channel: URISchema,
  session: URISchema,
  changes: partial(SessionSummarySchema),
});

/** How far a request is that takes long; the token is the one that came with the request. */
export interface ProgressParams {
  /** The channel that it is about. */
  channel: URI;
  /** What progress notifications name it by. */
  progressToken: string;
  /** How far it is. */
  progress: number;
  /** What it will be at the end, if that is known. */
  total?: number | undefined;
  /** What is being done. */
  message?: string | undefined;
}

export const ProgressParamsSchema = object<ProgressParams>('ProgressParams', {
  channel: URISchema,
  progressToken: Type.String(),
  progress: Type.Number(),
  total: optional(Type.Number()),
  message: optional(Type.String()),
});
