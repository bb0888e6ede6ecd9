import type { Readable, Writable } from 'node:stream';
import { ReadableStream, WritableStream } from 'node:stream/web';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { type Fields, fields } from '../../shared/untrusted.js';
import { MAX_LINE_BYTES } from '../process/limits.js';

/**
 * The pipes of an agent as a stream of messages. Session updates are handled in order and never overtaken by an answer:
 * nothing else is read meanwhile. Lines that are not JSON-RPC are dropped, because programs print all kinds of things.
 */
export function messageStream(
  output: Readable,
  input: Writable,
  onUpdate: (params: unknown) => Promise<void> | undefined,
): Stream {
  const asked = new Set<unknown>();
  const messages = readMessages(output);
  const readable = new ReadableStream<AnyMessage>({
    // One at a time, so that an agent that writes faster than we read has to wait.
    async pull(controller) {
      for (;;) {
        const { value, done } = await messages.next();
        if (done) return controller.close();
        if (value.method === 'session/update') await onUpdate(value.params);
        else if (isServed(value, asked)) return controller.enqueue(value as unknown as AnyMessage);
      }
    },
    cancel: () => void output.destroy(),
  });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      if ('method' in message && 'id' in message) asked.add(message.id);
      return new Promise((resolve, reject) => {
        input.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      });
    },
  });
  return { readable, writable } as unknown as Stream;
}

/** Whether it is a request, the cancellation of one, or the answer to one of ours. */
function isServed(message: Fields, asked: Set<unknown>): boolean {
  const { id, method } = message;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (typeof method === 'string') return hasId || method === '$/cancel_request';
  return hasId && ('result' in message || 'error' in message) && asked.delete(id);
}

async function* readMessages(output: Readable): AsyncGenerator<Fields, void> {
  for await (const line of readLines(output)) {
    const message = parse(line);
    if (message) yield message;
  }
}

function parse(line: Buffer): Fields | undefined {
  try {
    const message = fields(JSON.parse(line.toString()));
    return message.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}

async function* readLines(output: Readable): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = [];
  let held = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
      pieces = [];
      held = 0;
      start = end + 1;
    }
    held += chunk.length - start;
    if (held > MAX_LINE_BYTES) throw new Error(`the agent sent a message of more than ${MAX_LINE_BYTES} bytes`);
    pieces.push(chunk.subarray(start));
  }
}
