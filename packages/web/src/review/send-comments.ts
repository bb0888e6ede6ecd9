import type { Client } from '@ahpd/client';
import { type Annotation, annotationsUri, type Message } from '@ahpd/protocol';
import { pathOf } from '../ui/format.js';
import { plainText } from '../ui/Text.js';

/** Gives comments to the agent: as a message that says them, with the annotations themselves attached. */
export async function sendComments(
  client: Client,
  chatUri: string,
  session: string,
  annotations: readonly Annotation[],
): Promise<void> {
  const chat = await client.chat(chatUri);
  try {
    const message: Message = {
      text: `Please see to these review comments:\n\n${annotations.map(describe).join('\n')}`,
      origin: { kind: 'user' },
      attachments: [
        {
          type: 'annotations',
          label: 'Review comments',
          resource: annotationsUri(session),
          annotationIds: annotations.map(({ id }) => id),
        },
      ],
    };
    const id = crypto.randomUUID();
    if (chat.optimistic.activeTurn)
      await chat.dispatch({ type: 'chat/pendingMessageSet', kind: 'queued', id, message });
    else await chat.dispatch({ type: 'chat/turnStarted', turnId: id, message });
  } finally {
    chat.release();
  }
}

function describe({ resource, range, entries }: Annotation): string {
  const where = range ? `${pathOf(resource)}:${range.start.line + 1}` : pathOf(resource);
  return entries.map(({ text }) => `- ${where}: ${plainText(text)}`).join('\n');
}
