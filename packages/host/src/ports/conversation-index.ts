import type { URI } from '@moorage/protocol';

/**
 * A full-text index of conversations. All of it comes from the store, so it may be behind, and it can be made again: what
 * it writes need not survive a crash of the machine. Calls are synchronous and take little time each.
 */
export interface ConversationIndex {
  /** The sessions that were indexed completely, with what was given to `complete` for each. */
  sessions(): ReadonlyMap<URI, string>;
  /** The turns of a session that are in the index; `keyOfTurn` makes their keys. */
  turnsOf(session: URI): ReadonlySet<string>;
  /** Adds turns, or replaces those that it has. All or none. */
  put(session: URI, turns: readonly IndexedTurn[]): void;
  /** Removes turns by their keys. */
  removeTurns(session: URI, keys: readonly string[]): void;
  /** Notes that all turns of a session are in the index, as of a version of it. */
  complete(session: URI, version: string): void;
  /** Forgets a session with all its turns. */
  remove(session: URI): void;
  /**
   * One turn for each session that has all words of the query, the last of which may be the beginning of one; what fits best
   * comes first, and no two pages have the same. Case and accents do not matter. Whatever the query is, it is only words; without any,
   * nothing is found.
   */
  search(query: string, page: { readonly offset: number; readonly limit: number }): readonly FoundTurn[];
  /** Every call after this throws, except `close`. */
  close(): void;
}

export interface IndexedTurn {
  /** The chat of the turn. */
  readonly chat: URI;
  /** The turn. */
  readonly turnId: string;
  /** What can be found. */
  readonly text: string;
}

export interface FoundTurn {
  /** The session of the chat. */
  readonly session: URI;
  /** The chat of the turn. */
  readonly chat: URI;
  /** The turn in which it was said. */
  readonly turnId: string;
  /** Some words around what was found, on one line of fewer than 300 characters. */
  readonly excerpt: string;
}

export function keyOfTurn({ chat, turnId }: Pick<IndexedTurn, 'chat' | 'turnId'>): string {
  return `${chat} ${turnId}`;
}
