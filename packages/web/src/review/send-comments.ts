import type { Client } from '@moorage/client';
import { type Annotation, annotationsUri, type ChatState, type Message } from '@moorage/protocol';
import { queueMessage, sendMessage } from '../chat/send.js';
import { plural } from '../ui/format.js';

export const DEFAULT_MESSAGE = 'Please address these review comments.';

/** Sends comments to the agent. The host adds their contents, so the message only says what to do with them. */
export async function sendComments(
  client: Client,
  chatUri: string,
  session: string,
  annotations: readonly Annotation[],
  words = '',
): Promise<void> {
  const chat = await client.chat(chatUri);
  const message: Message = {
    text: words.trim() || DEFAULT_MESSAGE,
    origin: { kind: 'user' },
    attachments: [
      {
        type: 'annotations',
        label: plural(annotations.length, 'review comment'),
        displayKind: 'comment',
        resource: annotationsUri(session),
        annotationIds: annotations.map(({ id }) => id),
      },
    ],
  };
  try {
    if (chat.optimistic.activeTurn) await queueMessage(chat, message);
    else await sendMessage(chat, message);
  } finally {
    chat.release();
  }
}

/** That a comment was sent to the agent; without a time if the host does not say when. */
export interface Sent {
  readonly isQueued: boolean;
  readonly at?: string | undefined;
}

/** What became of the comments that were sent to the agent of a chat, by id. */
export function sentComments(chat: ChatState | undefined): ReadonlyMap<string, Sent> {
  const found = new Map<string, Sent>();
  const note = ({ attachments }: Message, sent: Sent) => {
    for (const attachment of attachments ?? [])
      if (attachment.type === 'annotations') for (const id of attachment.annotationIds ?? []) found.set(id, sent);
  };
  for (const { message, startedAt } of chat?.turns ?? []) note(message, { isQueued: false, at: startedAt });
  if (chat?.activeTurn) note(chat.activeTurn.message, { isQueued: false, at: chat.activeTurn.startedAt });
  for (const { message } of chat?.queuedMessages ?? []) note(message, { isQueued: true });
  return found;
}
