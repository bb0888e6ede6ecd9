import { type Mirror, randomId } from '@ahpd/client';
import type { Message, PendingMessageKind } from '@ahpd/protocol';
import type { Draft } from './drafts.js';
import { canTravel } from './files.js';
import { keepUntilSent } from './unsent.js';

/** Says what was written: starts a turn, or leaves it for the one that runs. */
export async function sendDraft(mirror: Mirror<'chat'>, kind: PendingMessageKind, draft: Draft): Promise<void> {
  const { activeTurn, steeringMessage } = mirror.optimistic;
  const message = messageOf(draft);
  // A chat has one message that steers; a second one would take its place unread.
  const first = activeTurn && kind === 'steering' ? steeringMessage : undefined;
  const id = first?.id ?? randomId();
  await keepUntilSent(mirror, id, draft, async () => {
    if (!activeTurn) return mirror.dispatch({ type: 'chat/turnStarted', turnId: id, message });
    const left = first ? joined(first.message, message) : message;
    return mirror.dispatch({ type: 'chat/pendingMessageSet', kind, id, message: left });
  });
}

/** Says a message in the place of a turn and all after it. */
export async function sendInstead(mirror: Mirror<'chat'>, turnId: string, message: Message): Promise<void> {
  const id = randomId();
  const draft = { text: message.text, attachments: (message.attachments ?? []).map((attachment) => ({ attachment })) };
  await keepUntilSent(mirror, id, draft, async () => {
    await truncateBefore(mirror, turnId);
    await mirror.dispatch({ type: 'chat/turnStarted', turnId: id, message });
  });
}

/** Starts a turn with a message. */
export async function sendMessage(mirror: Mirror<'chat'>, message: Message): Promise<void> {
  await mirror.dispatch({ type: 'chat/turnStarted', turnId: randomId(), message });
}

/** Leaves a message for the turn after the one that runs. */
export async function queueMessage(mirror: Mirror<'chat'>, message: Message): Promise<void> {
  await mirror.dispatch({ type: 'chat/pendingMessageSet', kind: 'queued', id: randomId(), message });
}

function messageOf({ text, attachments }: Draft): Message {
  return {
    text,
    origin: { kind: 'user' },
    ...(attachments.length > 0 && { attachments: attachments.map(({ attachment }) => attachment) }),
  };
}

function joined(first: Message, second: Message): Message {
  const attachments = [...(first.attachments ?? []), ...(second.attachments ?? [])];
  if (!canTravel(attachments)) throw new Error('With the message that waits already, the files are larger than 10 MB');
  const text = [first.text, second.text].filter(Boolean).join('\n\n');
  return { ...first, text, ...(attachments.length > 0 && { attachments }) };
}

/** Takes a turn and all after it out of a chat. */
async function truncateBefore(mirror: Mirror<'chat'>, turnId: string): Promise<void> {
  const { turns } = mirror.optimistic;
  const before = turns[turns.findIndex(({ id }) => id === turnId) - 1];
  await mirror.dispatch({ type: 'chat/truncated', ...(before && { turnId: before.id }) });
}
