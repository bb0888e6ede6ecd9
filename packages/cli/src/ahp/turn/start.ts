import { randomUUID } from 'node:crypto';
import { RejectedError } from '@ahpd/client';
import type { Message, MessageAttachment } from '@ahpd/protocol';
import { CommandError } from '../errors.js';
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

/** Sends a message to a chat where a turn runs: read by the agent soon, or when the turn is over. */
export async function queueMessage(
  live: LiveSession,
  text: string,
  kind: 'queued' | 'steering',
  attachments?: readonly MessageAttachment[],
): Promise<string> {
  const id = randomUUID();
  const message = userMessage(text, attachments);
  await sent(live.main.dispatch({ type: 'chat/pendingMessageSet', kind, id, message }));
  return id;
}

/** Resolves with the id of the turn that a queued message becomes. */
export function turnOfQueued(live: LiveSession, queuedMessageId: string): Promise<string> {
  return new Promise((resolve) => {
    live.main.onAction(({ action }) => {
      if (action.type === 'chat/turnStarted' && action.queuedMessageId === queuedMessageId) resolve(action.turnId);
    });
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
