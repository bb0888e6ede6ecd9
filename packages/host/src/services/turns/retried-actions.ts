import type { ActionOf } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';

type ChatAction = ActionOf<'chat'>;
type Again = (chat: Channel<'chat'>) => void;

/**
 * Commits the host's own decisions about turns. No client would send them again, so when one cannot be stored, the host
 * makes it anew after a moment, until it can be.
 */
export class RetriedActions {
  readonly #context: HostContext;
  readonly #unstored = new Map<object, Again>();

  constructor(context: HostContext) {
    this.#context = context;
    context.door.onCommitted('chat', ({ action }) => this.#unstored.delete(action));
    context.door.onLost((lost) => this.#lost(lost));
  }

  /** `again` makes the decision anew: the chat may be in another state by then. */
  commit(chat: Channel<'chat'>, action: ChatAction, again: Again): void {
    const { door } = this.#context;
    if (!door.isOpen(chat)) return;
    this.#unstored.set(action, again);
    door.commit(chat, action);
  }

  /** Ends a turn if it is still active. */
  endTurn(chat: Channel<'chat'>, action: Extract<ChatAction, { type: 'chat/error' | 'chat/turnCancelled' }>): void {
    if (chat.state.activeTurn?.id === action.turnId) this.commit(chat, action, (same) => this.endTurn(same, action));
  }

  #lost(lost: readonly Committed[]): void {
    const { door, clock } = this.#context;
    for (const { channel, action } of lost) {
      const again = this.#unstored.get(action);
      if (!again) continue;
      this.#unstored.delete(action);
      clock.setTimeout(() => {
        const chat = door.channels.find('chat', channel.uri); // it may have been unloaded meanwhile
        if (chat) again(chat);
      }, STORE_RETRY_MS);
    }
  }
}
