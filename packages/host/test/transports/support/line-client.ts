import type { Readable, Writable } from 'node:stream';
import type { CloseInfo } from '@moorage/protocol';
import type { FarEnd } from '../../../src/testing/transport-contract.js';

/** The client's end of newline-delimited JSON: it reads one stream and writes the other, or one socket. */
export function lineClient(input: Readable, output: Writable): FarEnd {
  const received: string[] = [];
  let partial = '';
  input.setEncoding('utf8');
  input.on('data', (text: string) => {
    const lines = (partial + text).split('\n');
    partial = lines.pop() ?? '';
    received.push(...lines);
  });
  input.on('error', () => {});
  output.on('error', () => {});
  return {
    received,
    send: (text) => void (output.writable && output.write(`${text}\n`)),
    pause: () => void input.pause(),
    resume: () => void input.resume(),
    close: () => void output.end(),
    cut: () => {
      input.destroy(new Error('cut'));
      output.destroy(new Error('cut'));
    },
    closed: new Promise<CloseInfo>((resolve) => {
      input.on('end', () => resolve({}));
      input.on('close', () => resolve({}));
    }),
  };
}
