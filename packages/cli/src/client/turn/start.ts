import { randomUUID } from 'node:crypto';
import { type Mirror, turnStarted } from '@moorage/client';
import { type Message, type MessageAttachment, type ModelSelection, selectionOf } from '@moorage/protocol';
import { CommandError, ExitCode } from '../errors.js';
import { lost } from '../host/open.js';
import type { LiveSession } from '../sessions/live-session.js';

/** What goes with the text of a message. */
export interface MessageExtras {
  readonly attachments?: readonly MessageAttachment[];
  /** Instead of the model that the chat uses. */
  readonly model?: ModelSelection;
}

function userMessage({ confirmed }: Mirror<'chat'>, text: string, extras: MessageExtras = {}): Message {
  const { model, agent } = { ...selectionOf(confirmed), ...extras };
  const { attachments = [] } = extras;
  return {
    text,
    origin: { kind: 'user' },
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(model && { model }),
    ...(agent && { agent }),
  };
}

/** Starts a turn and returns its id. */
export async function startTurn({ main }: LiveSession, text: string, extras?: MessageExtras): Promise<string> {
  const turnId = randomUUID();
  await main.dispatch(turnStarted(turnId, userMessage(main, text, extras)));
  return turnId;
}

/** Leaves a message for when the running turn is over. */
export async function queueMessage(
  { main }: LiveSession,
  text: string,
  extras?: MessageExtras,
  id: string = randomUUID(),
): Promise<string> {
  const message = userMessage(main, text, extras);
  await main.dispatch({ type: 'chat/pendingMessageSet', kind: 'queued', id, message });
  return id;
}

/**
 * Hands a message to the agent during the running turn. A chat holds only one such message and a second would replace it
 * (B-201), so the text is added to one that is still waiting.
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
    ...userMessage(main, both, { attachments: [...(waiting?.message.attachments ?? []), ...attachments] }),
  };
  await main.dispatch({ type: 'chat/pendingMessageSet', kind: 'steering', id, message });
  return { id, joined: waiting !== undefined };
}

/** Milliseconds between a message leaving the queue and its turn; the host sends both at once. */
const TAKEN_UP_WITHIN_MS = 1_000;

/** Queues a message, and resolves with the id of the turn that it starts. */
export function queuedTurn(live: LiveSession, text: string, extras?: MessageExtras): Promise<string> {
  const id = randomUUID();
  return new Promise((resolve, reject) => {
    // Listen before sending: if the turn before has just ended, the host takes the message up at once.
    live.main.onAction(({ action, rejectionReason }) => {
      if (rejectionReason !== undefined) return;
      if (action.type === 'chat/turnStarted' && action.queuedMessageId === id) resolve(action.turnId);
      if (action.type === 'chat/pendingMessageRemoved' && action.id === id)
        setTimeout(() => reject(new CommandError('the message was taken out of the queue')), TAKEN_UP_WITHIN_MS);
    });
    live.main.subscribe(({ status }) => {
      if (status !== 'gone') return;
      const isLost = live.client.status === 'closed';
      const why = isLost ? lost(`attach ${live.shortId}`) : 'the session ended before the message was read';
      reject(new CommandError(why, isLost ? ExitCode.Detached : ExitCode.Failed));
    });
    queueMessage(live, text, extras, id).catch(reject);
  });
}
