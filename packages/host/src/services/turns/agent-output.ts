import type { ActionOf, URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { type Committed, isOn } from '../../core/committed.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';
import type { RetriedActions } from './retried-actions.js';
import { failed } from './turn-ends.js';

/**
 * Commits what agents do in turns. When that cannot be stored, the turn is stopped, and ends with an error as soon as
 * the store works again.
 */
export class AgentOutput {
  readonly #context: HostContext;
  readonly #retried: RetriedActions;
  readonly #stop: (chat: URI) => void;
  /**
   * The actions of the open tick. A Set, not a WeakSet, which is slow to add to and to collect: every piece of text
   * passes here.
   */
  readonly #unstored = new Set<object>();

  /** `stop` stops the running turn of a chat. */
  constructor(context: HostContext, retried: RetriedActions, stop: (chat: URI) => void) {
    this.#context = context;
    this.#retried = retried;
    this.#stop = stop;
    context.door.onCommitted('chat', ({ action }) => this.#unstored.delete(action));
    context.door.onLost((lost) => this.#lost(lost));
  }

  commit(chat: Channel<'chat'>, action: ActionOf<'chat'>): void {
    const { door } = this.#context;
    if (!door.isOpen(chat)) return; // the channel has ended, so the action would never be stored
    const turn = chat.state.activeTurn;
    if (turn && !ENDS.has(action.type) && door.isFull(chat)) {
      this.#stop(chat.uri);
      this.#retried.endTurn(chat, failed(turn, CHAT_FULL, this.#context.clock.now()));
      return;
    }
    this.#unstored.add(action);
    door.commit(chat, action);
  }

  #lost(lost: readonly Committed[]): void {
    const own = lost
      .filter((committed) => isOn(committed, 'chat'))
      .filter(({ action }) => this.#unstored.delete(action));
    for (const chat of new Set(own.map(({ channel }) => channel))) {
      this.#stop(chat.uri);
      const turn = chat.state.activeTurn;
      if (!turn) continue;
      const { clock } = this.#context;
      const end = () => this.#retried.endTurn(chat, failed(turn, NOT_STORED, clock.now()));
      clock.setTimeout(end, STORE_RETRY_MS);
    }
  }
}

const ENDS: ReadonlySet<string> = new Set(['chat/turnComplete', 'chat/turnCancelled', 'chat/error']);

const CHAT_FULL = {
  errorType: 'chatFull',
  message: 'This chat is as large as a chat can be. Go on in a new one, or go back to an earlier turn.',
};

const NOT_STORED = {
  errorType: 'storeFailed',
  message: 'The host could not store what the agent did. Check its disk, then retry.',
};
