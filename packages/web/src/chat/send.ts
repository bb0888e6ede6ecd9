import { type Client, loadEarlierTurns, type Mirror, randomId, turnStarted } from '@moorage/client';
import type { Message, PendingMessageKind } from '@moorage/protocol';
import type { Draft } from './drafts.js';
import { fitTogether } from './files.js';
import { withSelection } from './selection.js';
import { keepUntilSent } from './unsent.js';

/** Sends a draft: starts a turn, or adds to the messages that wait for the running one. */
export async function sendDraft(mirror: Mirror<'chat'>, kind: PendingMessageKind, draft: Draft): Promise<void> {
  const { activeTurn, steeringMessage } = mirror.optimistic;
  const message = withSelection(mirror, messageOf(draft));
  // A chat has only one steering message, and a second would replace it unread. So they are joined.
  const first = activeTurn && kind === 'steering' ? steeringMessage : undefined;
  const id = first?.id ?? randomId();
  await keepUntilSent(mirror, id, draft, async () => {
    if (!activeTurn) return mirror.dispatch(turnStarted(id, message));
    const combined = first ? joined(first.message, message) : message;
    return mirror.dispatch({ type: 'chat/pendingMessageSet', kind, id, message: combined });
  });
}

/** Sends a message in place of a turn and all later ones. */
export async function sendInstead(
  client: Client,
  mirror: Mirror<'chat'>,
  turnId: string,
  message: Message,
): Promise<void> {
  const id = randomId();
  const draft = { text: message.text, attachments: (message.attachments ?? []).map((attachment) => ({ attachment })) };
  await keepUntilSent(mirror, id, draft, async () => {
    const chosen = withSelection(mirror, message); // before the turns that it follows from are gone
    await truncateBefore(client, mirror, turnId);
    await mirror.dispatch(turnStarted(id, chosen));
  });
}

/** Starts a turn with a message. */
export async function sendMessage(mirror: Mirror<'chat'>, message: Message): Promise<void> {
  await mirror.dispatch(turnStarted(randomId(), withSelection(mirror, message)));
}

/** Queues a message for the turn after the running one. */
export async function queueMessage(mirror: Mirror<'chat'>, message: Message): Promise<void> {
  await mirror.dispatch({
    type: 'chat/pendingMessageSet',
    kind: 'queued',
    id: randomId(),
    message: withSelection(mirror, message),
  });
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
  if (!fitTogether(attachments))
    throw new Error('Together with the message that is already waiting, the files exceed 10 MB');
  const text = [first.text, second.text].filter(Boolean).join('\n\n');
  return { ...first, text, ...(attachments.length > 0 && { attachments }) };
}

/** Removes a turn and all later ones from a chat. */
async function truncateBefore(client: Client, mirror: Mirror<'chat'>, turnId: string): Promise<void> {
  // Of the first turn that is loaded, the one before must be known: without it, everything would go.
  if (mirror.optimistic.turns[0]?.id === turnId) await loadEarlierTurns(client, mirror);
  const { turns } = mirror.optimistic;
  const before = turns[turns.findIndex(({ id }) => id === turnId) - 1];
  await mirror.dispatch({ type: 'chat/truncated', ...(before && { turnId: before.id }) });
}
