import { upsert } from '../../common/list.js';
import type { ActionOf } from '../action-table.js';
import type { PendingMessage } from './pending-message.js';
import type { ChatState } from './state.js';

type PendingAction = Extract<
  ActionOf<'chat'>,
  { type: 'chat/pendingMessageSet' | 'chat/pendingMessageRemoved' | 'chat/queuedMessagesReordered' }
>;

export function reducePendingMessages(state: ChatState, action: PendingAction): ChatState {
  switch (action.type) {
    case 'chat/pendingMessageSet': {
      const pending = { id: action.id, message: action.message };
      if (action.kind === 'steering') return { ...state, steeringMessage: pending };
      const queuedMessages = upsert(state.queuedMessages ?? [], pending, (queued) => queued.id === action.id);
      return { ...state, queuedMessages };
    }
    case 'chat/pendingMessageRemoved': {
      if (action.kind === 'steering') {
        return state.steeringMessage?.id === action.id ? { ...state, steeringMessage: undefined } : state;
      }
      const queue = state.queuedMessages;
      const remaining = queue?.filter((queued) => queued.id !== action.id);
      if (!remaining || remaining.length === queue?.length) return state;
      return { ...state, queuedMessages: remaining.length ? remaining : undefined };
    }
    case 'chat/queuedMessagesReordered':
      if (!state.queuedMessages) return state;
      return { ...state, queuedMessages: reordered(state.queuedMessages, action.order) };
  }
}

/** First the ids of the order that exist, each once; then the rest as they stood. */
function reordered(queue: readonly PendingMessage[], order: readonly string[]): PendingMessage[] {
  const rest = new Map(queue.map((pending) => [pending.id, pending]));
  const first: PendingMessage[] = [];
  for (const id of order) {
    const pending = rest.get(id);
    if (!pending) continue;
    first.push(pending);
    rest.delete(id);
  }
  return [...first, ...rest.values()];
}
