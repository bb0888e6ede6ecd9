import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

/** Our extension: the sessions in whose conversations something was said. */
export const SearchConversationsParamsSchema = named(
  'SearchConversationsParams',
  Type.Object({
    channel: Type.Literal('ahp-root://'),
    /** Words; the last may be the beginning of one. */
    query: Type.String(),
    cursor: optional(Type.String()),
    limit: optional(Type.Integer()),
  }),
);
export type SearchConversationsParams = Static<typeof SearchConversationsParamsSchema>;

export const FoundConversationSchema = named(
  'FoundConversation',
  Type.Object({
    session: URISchema,
    chat: URISchema,
    turnId: Type.String(),
    /** Some words around what was found. */
    excerpt: Type.String(),
  }),
);
export type FoundConversation = Static<typeof FoundConversationSchema>;

export const SearchConversationsResultSchema = named(
  'SearchConversationsResult',
  Type.Object({
    items: Type.Array(FoundConversationSchema),
    nextCursor: optional(Type.String()),
    /** Some conversations are not in the index yet. */
    incomplete: optional(Type.Boolean()),
  }),
);
export type SearchConversationsResult = Static<typeof SearchConversationsResultSchema>;
