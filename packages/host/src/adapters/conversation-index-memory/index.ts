import type { URI } from '@moorage/protocol';
import { type ConversationIndex, type IndexedTurn, keyOfTurn } from '../../ports/conversation-index.js';
import { MAX_MATCHES, searchWords } from '../shared/search-words.js';

/** An index that lives as long as the process. */
export function memoryConversationIndex(): ConversationIndex {
  const turns = new Map<URI, Map<string, IndexedTurn>>();
  const versions = new Map<URI, string>();
  let isClosed = false;
  const opened = <T>(part: T): T => {
    if (isClosed) throw new Error('the index is closed');
    return part;
  };
  const of = (session: URI) => opened(turns).get(session) ?? new Map<string, IndexedTurn>();
  return {
    sessions: () => opened(versions),
    turnsOf: (session) => new Set(of(session).keys()),
    put(session, added) {
      turns.set(session, new Map([...of(session), ...added.map((turn) => [keyOfTurn(turn), turn] as const)]));
    },
    removeTurns(session, keys) {
      for (const key of keys) of(session).delete(key);
    },
    complete: (session, version) => void opened(versions).set(session, version),
    remove(session) {
      opened(turns).delete(session);
      versions.delete(session);
    },
    search(query, { offset, limit }) {
      const words = searchWords(query).map(plain);
      if (words.length === 0) return [];
      const found = [...opened(turns)].flatMap(([session, all]) => {
        const newest = [...all.values()].slice(-MAX_MATCHES).reverse();
        const turn = newest.find(({ text }) => matches(text, words));
        return turn ? [{ session, chat: turn.chat, turnId: turn.turnId, excerpt: excerptOf(turn.text, words) }] : [];
      });
      return found.slice(offset, offset + limit);
    },
    close: () => {
      isClosed = true;
    },
  };
}

function matches(text: string, words: readonly string[]): boolean {
  const tokens = plain(text).split(/[^\p{L}\p{N}]+/u);
  const last = words.at(-1) ?? '';
  const isThere = (word: string) => tokens.includes(word);
  return words.slice(0, -1).every(isThere) && tokens.some((token) => token.startsWith(last));
}

function excerptOf(text: string, words: readonly string[]): string {
  const at = Math.max(0, plain(text).indexOf(words[0] ?? '') - 40);
  return text.slice(at, at + 120).replace(/\s+/g, ' ');
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
