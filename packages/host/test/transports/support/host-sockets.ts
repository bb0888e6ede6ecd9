import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { soon } from './waiting.js';

/** The host's ends of connections, by the port of the client's end: listeners do not show theirs. */
const hostEnds = new Map<number, Socket>();
subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket };
  const port = socket.remotePort;
  if (port === undefined) return; // not of TCP
  hostEnds.set(port, socket);
  socket.once('close', () => hostEnds.get(port) === socket && hostEnds.delete(port));
});

export function hostEndOf(client: Socket): Socket {
  const found = hostEnds.get(client.localPort ?? 0);
  if (!found) throw new Error('the host has no such connection');
  return found;
}

/** Waits until the host has read all that the client has sent. */
export async function arrived(client: Socket): Promise<void> {
  await soon(() => expect(hostEndOf(client).bytesRead).toBe(client.bytesWritten));
}
