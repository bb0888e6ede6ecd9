import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** Our extension: the sessions in whose conversations something was said. */
export interface SearchConversationsParams {
  channel: 'ahp-root://';
  /** Words; the last may be the beginning of one. */
  query: string;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  /** The most items to answer with. */
  limit?: number | undefined;
}

export const SearchConversationsParamsSchema = object<SearchConversationsParams>('SearchConversationsParams', {
  channel: Type.Literal('ahp-root://'),
  query: Type.String(),
  cursor: optional(Type.String()),
  limit: optional(Type.Integer()),
});

export interface FoundConversation {
  /** The URI of the session. */
  session: URI;
  /** The chat in which it was said. */
  chat: URI;
  /** The turn that it is about. */
  turnId: string;
  /** Some words around what was found. */
  excerpt: string;
}

export const FoundConversationSchema = object<FoundConversation>('FoundConversation', {
  session: URISchema,
  chat: URISchema,
  turnId: Type.String(),
  excerpt: Type.String(),
});

export interface SearchConversationsResult {
  /** One turn for each session, what fits best first. */
  items: FoundConversation[];
  /** Where the next page begins; without it, this was the last. */
  nextCursor?: string | undefined;
  /** Some conversations are not in the index yet. */
  incomplete?: boolean | undefined;
}

export const SearchConversationsResultSchema = object<SearchConversationsResult>('SearchConversationsResult', {
  items: Type.Array(FoundConversationSchema),
  nextCursor: optional(Type.String()),
  incomplete: optional(Type.Boolean()),
});
