import { connect } from 'node:net';
import type { Transport } from '@ahpd/protocol';
import { MAX_INCOMING_CHARS } from '../connection/connection.js';
import { ConnectError } from '../errors.js';
import { lineReader } from './lines.js';
import { TransportListeners } from './transport-listeners.js';

/** How long the other side may take to end its half; after that the process need not stay for it. */
const CLOSE_GRACE_MS = 2_000;

/** One JSON message per line over a socket file; who may open the file may talk to the host. */
export function openUnixSocket(path: string): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const listeners = new TransportListeners();
    const read = lineReader(MAX_INCOMING_CHARS, (line) => listeners.message(line));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      if (!read(chunk)) socket.destroy();
    });
    socket.on('error', (cause) =>
      reject(new ConnectError('unreachable', `no connection: ${cause.message}`, { cause })),
    );
    socket.on('close', () => listeners.close({}));
    socket.once('connect', () =>
      resolve({
        send(text) {
          if (socket.writable) socket.write(`${text}\n`);
        },
        close() {
          socket.end();
          setTimeout(() => socket.destroy(), CLOSE_GRACE_MS).unref();
        },
        onMessage: (listener) => listeners.onMessage(listener),
        onClose: (listener) => listeners.onClose(listener),
      }),
    );
  });
}
