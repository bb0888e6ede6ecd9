import {
  modifiedAtOf,
  type SearchConversationsParams,
  type SearchConversationsResult,
  type SessionState,
  type SessionSummary,
  type Turn,
  type URI,
} from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import { invalidParams } from '../../core/errors.js';
import { fromStoreInSlices } from '../../core/stored-channel.js';
import { type ConversationIndex, keyOfTurn } from '../../ports/conversation-index.js';
import type { HostContext } from '../context.js';
import { DEFAULT_FOUND, FIRST_COMPARISON_MS, MAX_FOUND, MAX_OFFSET, PAUSE_MS, TURNS_AT_ONCE } from './limits.js';
import { turnText } from './turn-text.js';

/**
 * Keeps an index of what was said up to date, outside of the ticks: a commit does not wait for it. At the start it compares
 * the index with the store, so it does not matter what a crash kept it from doing.
 */
export class SearchService {
  readonly #context: HostContext;
  readonly #index: ConversationIndex;
  /** Sessions to be compared with the index, in this order. */
  readonly #due = new Set<URI>();
  /** Sessions whose earlier turns are all in the index: only new ones have to be added. */
  readonly #complete = new Set<URI>();
  #timer: unknown;
  #isWorking = false;
  #isStopped = false;

  constructor(context: HostContext, index: ConversationIndex) {
    this.#context = context;
    this.#index = index;
  }

  /** From now on looks for what is not in the index, and for what no longer should be. */
  start(): void {
    this.#isWorking = true;
    this.#timer = this.#context.clock.setTimeout(() => {
      this.#attempt(() => this.#compareAll());
      void this.#work();
    }, FIRST_COMPARISON_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#context.clock.clearTimeout(this.#timer);
    this.#index.close();
  }

  search({ query, cursor, limit = DEFAULT_FOUND }: SearchConversationsParams): SearchConversationsResult {
    const offset = cursor === undefined ? 0 : Number(cursor);
    if (!/^\d{0,5}$/.test(cursor ?? '') || offset > MAX_OFFSET)
      throw invalidParams('params/cursor: expected the "nextCursor" of an earlier answer');
    if (!Number.isInteger(limit) || limit <= 0) throw invalidParams('params/limit: expected a whole number above 0');
    const count = Math.min(limit, MAX_FOUND);
    const found = this.#index.search(query, { offset, limit: count + 1 });
    const hasMore = found.length > count && offset + count <= MAX_OFFSET;
    return {
      items: found.slice(0, count),
      ...(hasMore && { nextCursor: String(offset + count) }),
      ...(this.#isWorking && { incomplete: true }),
    };
  }

  onChat({ channel, action, after }: Committed<'chat'>): void {
    if (channel.keeping.kind !== 'durable') return;
    const { session } = channel.keeping;
    const turn = after.turns.at(-1);
    if (action.type === 'chat/truncated' || !turn || !this.#complete.has(session)) {
      this.#compareSoon(session);
      return;
    }
    this.#context.clock.setTimeout(() => this.#add(session, channel.uri, turn), PAUSE_MS);
  }

  /** A session has begun, perhaps as a copy of another, or one of its chats has come or gone, as all do when it ends. */
  onSession({ channel }: Committed<'session'>): void {
    this.#compareSoon(channel.uri);
  }

  #add(session: URI, chat: URI, turn: Turn): void {
    if (this.#isStopped || !this.#complete.has(session)) return;
    const state = this.#context.door.channels.find('session', session)?.state;
    this.#attempt(() => {
      this.#index.put(session, [{ chat, turnId: turn.id, text: turnText(turn) }]);
      if (state) this.#index.complete(session, versionOf(state));
    });
  }

  #compareAll(): void {
    const { store } = this.#context;
    const known = new Map(this.#index.sessions());
    for (const json of store.sessions.list()) {
      const { resource, modifiedAt } = JSON.parse(json) as SessionSummary;
      if (known.get(resource) === modifiedAt) this.#complete.add(resource);
      else this.#due.add(resource);
      known.delete(resource);
    }
    for (const gone of known.keys()) this.#due.add(gone);
  }

  #compareSoon(session: URI): void {
    this.#complete.delete(session);
    this.#due.add(session);
    if (this.#isWorking || this.#isStopped) return;
    this.#isWorking = true;
    this.#timer = this.#context.clock.setTimeout(() => void this.#work(), PAUSE_MS);
  }

  async #work(): Promise<void> {
    for (const session of this.#due) {
      if (this.#isStopped) return;
      this.#due.delete(session);
      try {
        await this.#compare(session);
      } catch (error) {
        this.#failed(error);
      }
      await this.#pause();
    }
    this.#isWorking = false;
  }

  /** Makes the index agree with a session. Reads what is not in memory without keeping it there. */
  async #compare(uri: URI): Promise<void> {
    const session = await this.#read('session', uri);
    if (!session) return this.#index.remove(uri);
    this.#complete.add(uri); // from here on new turns are added by themselves
    const missing = new Set(this.#index.turnsOf(uri));
    const known = new Set(missing);
    for (const { resource } of session.state.chats) {
      const turns = (await this.#read('chat', resource))?.state.turns ?? [];
      for (const turn of turns) missing.delete(keyOfTurn({ chat: resource, turnId: turn.id }));
      const added = turns.filter(({ id }) => !known.has(keyOfTurn({ chat: resource, turnId: id })));
      for (let at = 0; at < added.length && !this.#isStopped; at += TURNS_AT_ONCE) {
        const some = added.slice(at, at + TURNS_AT_ONCE);
        this.#index.put(
          uri,
          some.map((turn) => ({ chat: resource, turnId: turn.id, text: turnText(turn) })),
        );
        await this.#pause();
      }
    }
    if (this.#isStopped) return;
    if (missing.size > 0) this.#index.removeTurns(uri, [...missing]);
    if (this.#complete.has(uri)) this.#index.complete(uri, versionOf(session.state));
  }

  async #read<K extends 'session' | 'chat'>(kind: K, uri: URI): Promise<Channel<K> | undefined> {
    const { door, store } = this.#context;
    const loaded = door.channels.peek(uri);
    if (loaded) return isKind(loaded, kind) ? loaded : undefined;
    const stored = store.channels.readInPieces(uri);
    const channel = stored && (await fromStoreInSlices(uri, stored, () => this.#pause()));
    return isKind(channel, kind) ? channel : undefined;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#timer = this.#context.clock.setTimeout(resolve, PAUSE_MS);
    });
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return;
    this.#context.log.write('warn', 'search.index-failed', 'a conversation could not be indexed', {
      error: String(error),
    });
  }
}

/** As the session's entry in lists has it, so that the whole list can be compared without reading a session. */
function versionOf(state: SessionState): string {
  return new Date(modifiedAtOf(state)).toISOString();
}
