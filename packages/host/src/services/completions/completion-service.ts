import type { CompletionsParams, CompletionsResult } from '@ahpd/protocol';
import { invalidParams } from '../../core/errors.js';
import type { HostContext } from '../context.js';
import { inTime } from '../in-time.js';
import type { SessionService } from '../sessions/session-service.js';
import { ANSWER_MS, MAX_ITEMS } from './limits.js';
import { type CompletionSource, itemOf } from './source.js';
import { wordAt } from './word.js';

/** Typed into a message, these ask for completions. */
export const TRIGGERS: readonly string[] = ['@', '#', '/'];

/** What may be written next in a message: asked of every source, answered with what is known in time. */
export class CompletionService {
  readonly #context: HostContext;
  readonly #sessions: SessionService;
  readonly #sources: readonly CompletionSource[];
  /** What each client waits for in each chat: a newer question makes the older one pointless. */
  readonly #asked = new Map<string, AbortController>();

  /** Items of sources come in their order; triggers of each must be among `TRIGGERS`. */
  constructor(context: HostContext, sessions: SessionService, sources: readonly CompletionSource[]) {
    this.#context = context;
    this.#sessions = sessions;
    this.#sources = sources;
  }

  async complete({ channel, text, offset }: CompletionsParams, clientId: string): Promise<CompletionsResult> {
    if (!Number.isInteger(offset) || offset < 0 || offset > text.length) {
      throw invalidParams(`params/offset: expected a whole number from 0 to ${text.length}, the length of the text`);
    }
    const chat = this.#sessions.chat(channel);
    const session = this.#sessions.sessionOf(chat);
    const word = wordAt(text, offset, TRIGGERS);
    const key = `${clientId} ${channel}`;
    this.#asked.get(key)?.abort();
    if (!word) return { items: [] };
    const asked = new AbortController();
    this.#asked.set(key, asked);
    const request = { session, chat, word, signal: asked.signal };
    const wanted = this.#sources.filter(({ triggers }) => triggers.includes(word.trigger));
    const lists = await Promise.all(
      wanted.map((source) => this.#within(async () => source.complete(request), asked.signal)),
    );
    asked.abort(); // whoever is late finds nobody
    if (this.#asked.get(key) === asked) this.#asked.delete(key);
    const suggestions = lists.flatMap((list) => list ?? []).slice(0, MAX_ITEMS);
    return { items: suggestions.map((suggestion) => itemOf(suggestion, word)) };
  }

  /** A source that fails keeps nobody from the answers of the others. */
  #within<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const { clock, log } = this.#context;
    const answer = ask();
    answer.catch((error: unknown) => {
      if (!signal.aborted) log.write('warn', 'a source of completions failed', { error: String(error) });
    });
    return inTime(answer, ANSWER_MS, clock, signal);
  }
}
