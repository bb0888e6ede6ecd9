import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { serveStdio } from '../../src/adapters/transport-stdio/index.js';
import { listenUnixSocket } from '../../src/adapters/transport-unix/index.js';
import type { Incoming } from '../../src/ports/index.js';
import { RecordingLog } from '../../src/testing/recording-log.js';
import { describeTransport, type FarEnd } from '../../src/testing/transport-contract.js';
import { startHost } from './support/host.js';
import { lineClient } from './support/line-client.js';
import { connectRaw } from './support/raw-client.js';
import { connectWs } from './support/ws-client.js';

for (const [name, connectFar] of [
  ['transport-ws with a ws client', (port: number) => connectWs(`ws://127.0.0.1:${port}/`)],
  ['transport-ws with a client of raw bytes', connectRaw],
] as const) {
  describeTransport(name, async () => {
    const host = await startHost();
    return {
      carriesCloseCode: true,
      stop: () => host.close(),
      connect: async () => {
        const incoming = host.next();
        const far: FarEnd = await connectFar(host.port);
        return { near: (await incoming).transport, far };
      },
    };
  });
}

describeTransport('transport-unix', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-'));
  const path = join(folder, 'host.sock');
  const waiting: ((client: Incoming) => void)[] = [];
  const listener = await listenUnixSocket({
    path,
    onClient: (client) => waiting.shift()?.(client),
    clock: nodeClock,
    log: new RecordingLog(),
  });
  return {
    carriesCloseCode: false,
    stop: async () => {
      await listener.close();
      await rm(folder, { recursive: true });
    },
    connect: async () => {
      const incoming = new Promise<Incoming>((resolve) => waiting.push(resolve));
      const socket = connect(path);
      const far = lineClient(socket, socket);
      return { near: (await incoming).transport, far };
    },
  };
});

describeTransport('transport-stdio', async () => ({
  carriesCloseCode: false,
  stop: async () => {},
  connect: async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const incoming = new Promise<Incoming>((onClient) =>
      serveStdio({ input, output, onClient, clock: nodeClock, log: new RecordingLog() }),
    );
    const far = lineClient(output, input);
    return { near: (await incoming).transport, far };
  },
}));
