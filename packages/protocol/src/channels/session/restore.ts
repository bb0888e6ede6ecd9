import type { Static } from 'typebox';
import { named } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { SessionSummarySchema } from './summary.js';

/** Our extension: a session that was disposed and whose data is still there. Times are milliseconds, as in a summary. */
export const DisposedSessionSchema = named(
  'DisposedSession',
  Type.Object({
    summary: SessionSummarySchema,
    disposedAt: Type.Integer(),
    /** Until then it can be restored; it may be kept for longer. */
    keptUntil: Type.Integer(),
  }),
);
export type DisposedSession = Static<typeof DisposedSessionSchema>;

export const ListDisposedSessionsParamsSchema = named(
  'ListDisposedSessionsParams',
  Type.Object({
    channel: Type.Literal('ahp-root://'),
  }),
);
export type ListDisposedSessionsParams = Static<typeof ListDisposedSessionsParamsSchema>;

export const ListDisposedSessionsResultSchema = named(
  'ListDisposedSessionsResult',
  Type.Object({
    items: Type.Array(DisposedSessionSchema),
  }),
);
export type ListDisposedSessionsResult = Static<typeof ListDisposedSessionsResultSchema>;

export const RestoreSessionParamsSchema = named(
  'RestoreSessionParams',
  Type.Object({
    channel: URISchema,
  }),
);
export type RestoreSessionParams = Static<typeof RestoreSessionParamsSchema>;
