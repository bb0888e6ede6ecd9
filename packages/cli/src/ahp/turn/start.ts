import { randomUUID } from 'node:crypto';
import { RejectedError } from '@ahpd/client';
import type { Message, MessageAttachment } from '@ahpd/protocol';
import { CommandError, ExitCode } from '../errors.js';
import { lost } from '../host/open.js';
import { shortId } from '../sessions/find.js';
import type { LiveSession } from '../sessions/live-session.js';

function userMessage(text: string, attachments: readonly MessageAttachment[] = []): Message {
  return { text, origin: { kind: 'user' }, ...(attachments.length > 0 && { attachments: [...attachments] }) };
}

/** Starts a turn; rejects with the host's reason. */
export async function startTurn(
  live: LiveSession,
  text: string,
  attachments?: readonly MessageAttachment[],
): Promise<string> {
  const turnId = randomUUID();
  await sent(live.main.dispatch({ type: 'chat/turnStarted', turnId, message: userMessage(text, attachments) }));
  return turnId;
}

/** Leaves a message for when the turn that runs is over. */
export async function queueMessage(
  live: LiveSession,
  text: string,
  attachments?: readonly MessageAttachment[],
  id: string = randomUUID(),
): Promise<string> {
  const message = userMessage(text, attachments);
  await sent(live.main.dispatch({ type: 'chat/pendingMessageSet', kind: 'queued', id, message }));
  return id;
}

/**
 * Hands a message to the agent of the turn that runs. A chat holds one of these and a second replaces it (B-201), so it is
 * put together with one that waits, under its id.
 */
export async function steer(
  { main }: LiveSession,
  text: string,
  attachments: readonly MessageAttachment[],
): Promise<{ readonly id: string; readonly joined: boolean }> {
  const waiting = main.confirmed.steeringMessage;
  const id = waiting?.id ?? randomUUID();
  const both = `${waiting ? `${waiting.message.text}\n` : ''}${text}`;
  const message = {
    ...waiting?.message,
    ...userMessage(both, [...(waiting?.message.attachments ?? []), ...attachments]),
  };
  await sent(main.dispatch({ type: 'chat/pendingMessageSet', kind: 'steering', id, message }));
  return { id, joined: waiting !== undefined };
}

/** Milliseconds between a message that leaves the queue and its turn, which the host tells in one breath. */
const TAKEN_UP_WITHIN_MS = 1_000;

/** Queues a message, and resolves with the id of the turn that it becomes. */
export function queuedTurn(
  live: LiveSession,
  text: string,
  attachments?: readonly MessageAttachment[],
): Promise<string> {
  const id = randomUUID();
  return new Promise((resolve, reject) => {
    // Heard from the first moment: where the turn before has just ended, the host takes the message up at once.
    live.main.onAction(({ action, rejectionReason }) => {
      if (rejectionReason !== undefined) return;
      if (action.type === 'chat/turnStarted' && action.queuedMessageId === id) resolve(action.turnId);
      if (action.type === 'chat/pendingMessageRemoved' && action.id === id)
        setTimeout(() => reject(new CommandError('the message was taken out of the queue')), TAKEN_UP_WITHIN_MS);
    });
    live.main.subscribe(({ status }) => {
      if (status !== 'gone') return;
      const isLost = live.client.status === 'closed';
      const why = isLost
        ? lost(`attach ${shortId(live.session.confirmed.summary)}`)
        : 'the session ended before the message was read';
      reject(new CommandError(why, isLost ? ExitCode.Detached : ExitCode.Failed));
    });
    queueMessage(live, text, attachments, id).catch(reject);
  });
}

/** Waits for a dispatch; a refusal of the host becomes a sentence for the user. */
export async function sent(dispatch: Promise<unknown>): Promise<void> {
  try {
    await dispatch;
  } catch (error) {
    if (error instanceof RejectedError) throw new CommandError(`the host refused: ${error.reason}`);
    throw error;
  }
}
