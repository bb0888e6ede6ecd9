/** The words of a query. Nothing of the syntax of a search engine is left in them. */
export function searchWords(query: string): string[] {
  return query
    .slice(0, MAX_QUERY_CHARS)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, MAX_WORDS);
}

/** More than anybody types. Each word is looked up by itself. */
const MAX_QUERY_CHARS = 400;
const MAX_WORDS = 16;

/** Turns that are compared with each other for one search, the newest: a word that is everywhere must not block the host. */
export const MAX_MATCHES = 5_000;
