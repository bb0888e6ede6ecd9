import type { ActionOf, URI } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import { type Committed, isOn } from '../../core/committed.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';
import type { Decisions } from './decisions.js';

/**
 * What agents do in turns, on its way into chats. When it cannot be stored, the turn stops, and ends with an error as soon as
 * the store works again.
 */
export class AgentOutput {
  readonly #context: HostContext;
  readonly #decisions: Decisions;
  readonly #stop: (chat: URI) => void;
  /** Of the tick under way. Not a weak set: that is dear to add to and to collect, and every piece of text comes by here. */
  readonly #unstored = new Set<object>();

  /** `stop`: ends what the agent of a chat does now. */
  constructor(context: HostContext, decisions: Decisions, stop: (chat: URI) => void) {
    this.#context = context;
    this.#decisions = decisions;
    this.#stop = stop;
    context.door.onCommitted('chat', ({ action }) => this.#unstored.delete(action));
    context.door.onLost((lost) => this.#lost(lost));
  }

  commit(chat: Channel<'chat'>, action: ActionOf<'chat'>): void {
    const { door } = this.#context;
    if (!door.isOpen(chat)) return; // nothing of it will be stored
    this.#unstored.add(action);
    door.commit(chat, action);
  }

  #lost(lost: readonly Committed[]): void {
    const own = lost
      .filter((committed) => isOn(committed, 'chat'))
      .filter(({ action }) => this.#unstored.delete(action));
    for (const chat of new Set(own.map(({ channel }) => channel))) {
      this.#stop(chat.uri);
      const turnId = chat.state.activeTurn?.id;
      if (turnId === undefined) continue;
      const failed = { type: 'chat/error', turnId, error: NOT_STORED } as const;
      this.#context.clock.setTimeout(() => this.#decisions.end(chat, failed), STORE_RETRY_MS);
    }
  }
}

const NOT_STORED = {
  errorType: 'storeFailed',
  message: 'The host could not store what the agent did. Check its disk, then retry.',
};
