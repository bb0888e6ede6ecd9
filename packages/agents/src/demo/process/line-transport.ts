import type { Readable, Writable } from 'node:stream';
import { CloseCodes, type Transport, TransportListeners } from '@moorage/protocol';
import { lineReader } from '@moorage/protocol/internal';
import { MAX_PIPE_CHARS } from './messages.js';

/** One JSON text per line over the pipes between a host and its agent's process. Closes when either pipe does. */
export function lineTransport(input: Readable, output: Writable): Transport {
  const listeners = new TransportListeners();
  const transport = listeners.with({
    send(text) {
      if (!listeners.closed && output.writable) output.write(`${text}\n`);
    },
    close(code, reason) {
      output.end();
      listeners.close({ ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) });
    },
  });
  const read = lineReader(MAX_PIPE_CHARS, (line) => listeners.message(line));
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    // A line without end must not fill the memory.
    if (!read(chunk)) transport.close(CloseCodes.MessageTooBig, 'line too long');
  });
  input.on('end', () => listeners.close({}));
  input.on('close', () => listeners.close({}));
  // An unhandled error would end this process, and a broken pipe only means that the other one has ended.
  input.on('error', () => listeners.close({}));
  output.on('error', () => listeners.close({}));
  return transport;
}
