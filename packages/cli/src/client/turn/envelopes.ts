import type { Client } from '@moorage/client';
import { printLine } from '../output/out.js';
import { jsonLine } from '../output/plain.js';
import type { LiveSession } from '../sessions/live-session.js';

/** Prints every envelope of a session and its chats as it arrives, one JSON object per line. */
export function printEnvelopes(client: Client, live: LiveSession): void {
  client.on('action', (envelope) => {
    const isOurs = envelope.channel === live.session.uri || live.chats.some(({ uri }) => uri === envelope.channel);
    if (isOurs) printLine(jsonLine(envelope));
  });
}
