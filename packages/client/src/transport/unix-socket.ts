import { connect } from 'node:net';
import { type Transport, TransportListeners } from '@moorage/protocol';
import { lineReader } from '@moorage/protocol/internal';
import { MAX_INCOMING_CHARS } from '../connection/connection.js';
import { ConnectError } from '../errors.js';
import { CLOSE_GRACE_MS } from './limits.js';

/** One JSON message per line over a socket file; whoever may open the file may talk to the host. */
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
    const transport = listeners.with({
      send(text) {
        if (socket.writable) socket.write(`${text}\n`);
      },
      close() {
        socket.end();
        setTimeout(() => socket.destroy(), CLOSE_GRACE_MS).unref();
      },
    });
    socket.once('connect', () => resolve(transport));
  });
}
