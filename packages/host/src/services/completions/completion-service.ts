import type { CompletionsParams, CompletionsResult } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import type { HostContext } from '../context.js';
import { inTime } from '../in-time.js';
import type { SessionService } from '../sessions/session-service.js';
import { ANSWER_MS, MAX_ITEMS } from './limits.js';
import { type CompletionSource, itemOf } from './source.js';
import { wordAt } from './word.js';

/** Characters that ask for completions when typed into a message. */
export const TRIGGERS: readonly string[] = ['@', '#', '/'];

/**
 * Completes the word at the cursor of a message. Asks all sources in parallel and answers with what arrives in time.
 */
export class CompletionService {
  readonly #context: HostContext;
  readonly #sessions: SessionService;
  readonly #sources: readonly CompletionSource[];
  /** The pending request of each client in each chat; a newer request aborts it. */
  readonly #asked = new Map<string, AbortController>();

  /** Items appear in the order of `sources`. Every trigger of a source must be in `TRIGGERS`. */
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
      wanted.map((source) => this.#inTime(async () => source.complete(request), asked.signal)),
    );
    asked.abort(); // sources that are still working may stop
    if (this.#asked.get(key) === asked) this.#asked.delete(key);
    const suggestions = lists.flatMap((list) => list ?? []).slice(0, MAX_ITEMS);
    return { items: suggestions.map((suggestion) => itemOf(suggestion, word)) };
  }

  /** Waits for a source, but no longer than ANSWER_MS; a source that fails is logged and counts as empty. */
  #inTime<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const { clock, log } = this.#context;
    const answer = ask();
    answer.catch((error: unknown) => {
      if (!signal.aborted)
        log.write('warn', 'completions.source-failed', 'a source of completions failed', { error: String(error) });
    });
    return inTime(answer, ANSWER_MS, clock, signal);
  }
}
