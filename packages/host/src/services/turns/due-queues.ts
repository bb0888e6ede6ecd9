import type { ActionOf, ChatState } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { CommittingDoor } from '../../core/door-parts.js';
import type { DocumentPut } from '../../ports/store.js';

/**
 * Remembers chats whose next queued message is about to start. The chat's state cannot tell: one whose turns were
 * truncated looks like one whose last turn has just completed, but its queue rests (OQ-54). So a mark is stored with
 * the action that starts the queue, until a turn starts.
 */
export class DueQueues {
  readonly #door: CommittingDoor;

  constructor(door: CommittingDoor) {
    this.#door = door;
  }

  /** Follows what can start a queue, and the start of a turn. */
  documentOf({ channel: { uri, state, keeping }, action, before }: Committed<'chat'>): DocumentPut | undefined {
    if (keeping.kind !== 'durable') return undefined;
    const document = { collection: 'queueDue', key: uri, session: keeping.session } as const;
    if (startsQueue(action) && !state.activeTurn && hasQueue(state)) return { ...document, json: 'true' };
    const isOver = action.type === 'chat/turnStarted' && (hasQueue(before) || action.queuedMessageId !== undefined);
    return isOver ? { ...document, json: undefined } : undefined;
  }

  /** Whether the host stopped before it could start the chat's next queued message. */
  has(chat: Channel<'chat'>): boolean {
    return hasQueue(chat.state) && this.#door.documents.read('queueDue', chat.uri) !== undefined;
  }
}

function startsQueue(action: ActionOf<'chat'>): boolean {
  return action.type === 'chat/turnComplete' || (action.type === 'chat/pendingMessageSet' && action.kind === 'queued');
}

function hasQueue({ queuedMessages = [] }: ChatState): boolean {
  return queuedMessages.length > 0;
}
