import type { ActionOf, ChatState } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Door } from '../../core/door.js';

/**
 * Which queues are about to go on. The state of a chat does not say: one whose turns were cut looks like one whose last turn
 * has just completed, yet it rests (OQ-54). So it is stored with the action that sets the queue going, until a turn starts.
 */
export class DueQueues {
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
    door.documents.follow('chat', ({ channel: { uri, state, keeping }, action, before }) => {
      if (keeping.kind !== 'durable') return undefined;
      const document = { collection: 'queueDue', key: uri, session: keeping.session } as const;
      if (setsGoing(action) && !state.activeTurn && hasQueue(state)) return { ...document, json: 'true' };
      const isOver = action.type === 'chat/turnStarted' && (hasQueue(before) || action.queuedMessageId !== undefined);
      return isOver ? { ...document, json: undefined } : undefined;
    });
  }

  /** Whether an earlier life of the host was to take a message from the queue of a chat, and did not get to it. */
  has(chat: Channel<'chat'>): boolean {
    return hasQueue(chat.state) && this.#door.documents.read('queueDue', chat.uri) !== undefined;
  }
}

function setsGoing(action: ActionOf<'chat'>): boolean {
  return action.type === 'chat/turnComplete' || (action.type === 'chat/pendingMessageSet' && action.kind === 'queued');
}

function hasQueue({ queuedMessages = [] }: ChatState): boolean {
  return queuedMessages.length > 0;
}
