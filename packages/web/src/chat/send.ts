import { type Mirror, randomId } from '@ahpd/client';
import type { Message, PendingMessageKind } from '@ahpd/protocol';

/** Starts a turn with a message. */
export async function sendMessage(mirror: Mirror<'chat'>, message: Message): Promise<void> {
  await mirror.dispatch({ type: 'chat/turnStarted', turnId: randomId(), message });
}

/** Leaves a message for a turn that runs: for its agent to read now, or for the turn after it. */
export async function leaveMessage(mirror: Mirror<'chat'>, kind: PendingMessageKind, message: Message): Promise<void> {
  await mirror.dispatch({ type: 'chat/pendingMessageSet', kind, id: randomId(), message });
}

/** Takes a turn and all after it out of a chat. */
export async function truncateBefore(mirror: Mirror<'chat'>, turnId: string): Promise<void> {
  const { turns } = mirror.optimistic;
  const before = turns[turns.findIndex(({ id }) => id === turnId) - 1];
  await mirror.dispatch({ type: 'chat/truncated', ...(before && { turnId: before.id }) });
}
