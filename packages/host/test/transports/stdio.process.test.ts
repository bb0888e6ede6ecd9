import { spawn } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { CloseInfo } from '@moorage/protocol';
import { expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { serveStdio } from '../../src/adapters/transport-stdio/index.js';
import { FrameBatch, type Incoming } from '../../src/ports/index.js';
import { RecordingLog } from '../../src/testing/recording-log.js';
import { clog } from './support/clog.js';
import { soon } from './support/waiting.js';

function serve(input: Readable, output: Writable) {
  const clients: Incoming[] = [];
  const onClient = (client: Incoming) => clients.push(client);
  const listener = serveStdio({ input, output, onClient, clock: nodeClock, log: new RecordingLog() });
  const [client] = clients;
  if (!client) throw new Error('the client must be handed over at once');
  const received: string[] = [];
  const closes: CloseInfo[] = [];
  client.transport.onMessage((text) => received.push(text));
  client.transport.onClose((info) => closes.push(info));
  return { listener, client, received, closes };
}

// The other process is `cat`: what the host writes to its standard input comes back from its standard output.
it('works over the pipes of a real process', async () => {
  const cat = spawn('cat');
  const { client, received, closes } = serve(cat.stdout, cat.stdin);
  const { transport } = client;
  expect(client.credential).toBe('local');
  const sent = Array.from({ length: 500 }, (_, index) => JSON.stringify([index, 'ä'.repeat(index)]));
  for (const text of sent.slice(0, 250)) transport.send(text);
  transport.sendBatch(new FrameBatch(sent.slice(250)));
  transport.send('{\n"pretty": [\r\n1]}');
  await soon(() => expect(received).toEqual([...sent, '{ "pretty": [ 1]}']));

  cat.kill('SIGSTOP');
  await clog(transport);
  const drained = new Promise<void>((resolve) => transport.onDrain(resolve));
  cat.kill('SIGCONT');
  await drained;

  cat.kill('SIGKILL');
  await soon(() => expect(closes.length).toBe(1));
  transport.send('"anyone?"');
});

it('takes the end of the input as the close', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { listener, received, closes } = serve(input, output);
  input.end('1\n2\n3');
  await soon(() => expect(closes).toEqual([{}]));
  expect(received).toEqual(['1', '2']);
  await listener.close();
  expect(output.writableEnded).toBe(true);
});

it('ends both streams when the host stops, with what was sent before', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { listener, client, closes } = serve(input, output);
  client.transport.send('1');
  const stopped = listener.close();
  const text = (await output.toArray()).join('');
  await stopped;
  expect(text).toBe('1\n');
  expect(closes).toEqual([{ code: 1001, reason: 'the host stops' }]);
  expect(input.destroyed).toBe(true);
});
