import { object } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type SessionSummary, SessionSummarySchema } from './summary.js';

/** Our extension: a session that was disposed and whose data is still there. Times are milliseconds, as in a summary. */
export interface DisposedSession {
  /** What it was. */
  summary: SessionSummary;
  /** When it was removed, in milliseconds since the epoch. */
  disposedAt: number;
  /** Until then it can be restored; it may be kept for longer. */
  keptUntil: number;
}

export const DisposedSessionSchema = object<DisposedSession>('DisposedSession', {
  summary: SessionSummarySchema,
  disposedAt: Type.Integer(),
  keptUntil: Type.Integer(),
});

export interface ListDisposedSessionsParams {
  channel: 'ahp-root://';
}

export const ListDisposedSessionsParamsSchema = object<ListDisposedSessionsParams>('ListDisposedSessionsParams', {
  channel: Type.Literal('ahp-root://'),
});

export interface ListDisposedSessionsResult {
  /** The sessions, latest removal first. */
  items: DisposedSession[];
}

export const ListDisposedSessionsResultSchema = object<ListDisposedSessionsResult>('ListDisposedSessionsResult', {
  items: Type.Array(DisposedSessionSchema),
});

export interface RestoreSessionParams {
  /** The channel that it is about. */
  channel: URI;
}

export const RestoreSessionParamsSchema = object<RestoreSessionParams>('RestoreSessionParams', {
  channel: URISchema,
});
