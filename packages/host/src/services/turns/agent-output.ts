import type { ActionOf } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { IfLost } from '../../core/if-lost.js';
import type { HostContext } from '../context.js';
import { endTurn } from './end-turn.js';
import { failed } from './turn-ends.js';

/**
 * Commits what an agent does in one turn. When that cannot be stored, the turn is stopped, and ends with an error as soon
 * as the store works again.
 */
export class AgentOutput {
  readonly #context: HostContext;
  readonly #chat: Channel<'chat'>;
  readonly #stop: () => void;
  /** One object for all pieces of the turn, which pass here by the thousand. */
  readonly #ifLost: IfLost<'chat'>;

  /** `stop` stops the agent's work on the turn. */
  constructor(context: HostContext, chat: Channel<'chat'>, turnId: string, stop: () => void) {
    this.#context = context;
    this.#chat = chat;
    this.#stop = stop;
    this.#ifLost = {
      undo: stop,
      again: (same) => {
        const turn = same.state.activeTurn;
        if (turn?.id === turnId) endTurn(context, same, failed(turn, NOT_STORED, context.clock.now()));
      },
    };
  }

  commit(action: ActionOf<'chat'>): void {
    const { door, clock } = this.#context;
    const turn = this.#chat.state.activeTurn;
    if (turn && !ENDS.has(action.type) && door.isFull(this.#chat)) {
      this.#stop();
      endTurn(this.#context, this.#chat, failed(turn, CHAT_FULL, clock.now()));
      return;
    }
    door.commit(this.#chat, action, this.#ifLost);
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
