import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

/** Our extension: the sessions that an agent had in a folder without this host. */
export const ListEarlierSessionsParamsSchema = named(
  'ListEarlierSessionsParams',
  Type.Object({ channel: Type.Literal('ahp-root://'), provider: Type.String(), workingDirectory: URISchema }),
);
export type ListEarlierSessionsParams = Static<typeof ListEarlierSessionsParamsSchema>;

export const EarlierSessionSchema = named(
  'EarlierSession',
  Type.Object({
    /** The agent's own id. */
    id: Type.String(),
    title: optional(Type.String()),
    /** ISO time. */
    updatedAt: optional(Type.String()),
  }),
);
export type EarlierSession = Static<typeof EarlierSessionSchema>;

export const ListEarlierSessionsResultSchema = named(
  'ListEarlierSessionsResult',
  Type.Object({ items: Type.Array(EarlierSessionSchema) }),
);
export type ListEarlierSessionsResult = Static<typeof ListEarlierSessionsResultSchema>;

export const AdoptSessionParamsSchema = named(
  'AdoptSessionParams',
  Type.Object({
    /** The session that continues it, which must not exist yet. */
    channel: URISchema,
    provider: Type.String(),
    workingDirectory: URISchema,
    id: Type.String(),
  }),
);
export type AdoptSessionParams = Static<typeof AdoptSessionParamsSchema>;
