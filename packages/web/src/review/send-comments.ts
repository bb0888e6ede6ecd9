import type { Client } from '@moorage/client';
import { type Annotation, annotationsUri, type Message } from '@moorage/protocol';
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
