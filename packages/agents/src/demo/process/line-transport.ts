import type { Readable, Writable } from 'node:stream';
import type { CloseInfo, Transport } from '@ahpd/protocol';
import { MAX_PIPE_CHARS } from './messages.js';

/** One JSON text per line, over the pipes between a host and its agent's process. It closes when either pipe does. */
export function lineTransport(input: Readable, output: Writable): Transport {
  const messageListeners: ((text: string) => void)[] = [];
  const closeListeners: ((info: CloseInfo) => void)[] = [];
  let closedWith: CloseInfo | undefined;
  let held = '';

  const finish = (info: CloseInfo) => {
    if (closedWith) return;
    closedWith = info;
    for (const listener of closeListeners) listener(info);
  };
  const receive = (line: string) => {
    if (line !== '' && !closedWith) for (const listener of messageListeners) listener(line);
  };
  const close = (code?: number, reason?: string) => {
    output.end();
    finish({ ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) });
  };

  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n');
    held += first;
    for (const next of others) {
      receive(held);
      held = next;
    }
    // What never ends a line must not fill the memory.
    if (held.length > MAX_PIPE_CHARS) close(TOO_BIG, 'line too long');
  });
  input.on('end', () => finish({}));
  input.on('close', () => finish({}));
  // An error that nobody listens to would end this process, and a broken pipe is only the other one's end.
  input.on('error', () => finish({}));
  output.on('error', () => finish({}));

  return {
    send(text) {
      if (!closedWith && output.writable) output.write(`${text}\n`);
    },
    close,
    onMessage: (listener) => void messageListeners.push(listener),
    onClose(listener) {
      const info = closedWith;
      if (info) queueMicrotask(() => listener(info));
      else closeListeners.push(listener);
    },
  };
}

/** WebSocket close code "message too big". */
const TOO_BIG = 1009;
