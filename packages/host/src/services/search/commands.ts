import type { Handler, Handlers } from '../../core/handler.js';
import type { SearchService } from './search-service.js';

/** A request of our own: which sessions have these words in their conversations. */
export function searchCommands(search: SearchService) {
  const searchConversations: Handler<'moorage/searchConversations'> = (params) => search.search(params);
  return { 'moorage/searchConversations': searchConversations } satisfies Handlers;
}
