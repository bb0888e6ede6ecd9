import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** Our extension: the sessions in whose conversations something was said. */
export interface SearchConversationsParams {
  channel: 'ahp-root://';
  /** Words; the last may be the beginning of one. */
  query: string;
  cursor?: string | undefined;
  limit?: number | undefined;
}

export const SearchConversationsParamsSchema = object<SearchConversationsParams>('SearchConversationsParams', {
  channel: Type.Literal('ahp-root://'),
  query: Type.String(),
  cursor: optional(Type.String()),
  limit: optional(Type.Integer()),
});

export interface FoundConversation {
  session: URI;
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
  items: FoundConversation[];
  nextCursor?: string | undefined;
  /** Some conversations are not in the index yet. */
  incomplete?: boolean | undefined;
}

export const SearchConversationsResultSchema = object<SearchConversationsResult>('SearchConversationsResult', {
  items: Type.Array(FoundConversationSchema),
  nextCursor: optional(Type.String()),
  incomplete: optional(Type.Boolean()),
});
