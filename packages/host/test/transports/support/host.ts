import { nodeClock } from '../../../src/adapters/clock-node/index.js';
import {
  createTokenCredentials,
  listenWebSocket,
  type WebSocketListener,
  type WebSocketListenerOptions,
} from '../../../src/adapters/transport-ws/index.js';
import type { Incoming } from '../../../src/ports/index.js';
import { RecordingLog } from '../../../src/testing/recording-log.js';

export const TOKEN = 'right-token-0123456789abcdef';

export interface TestHost extends WebSocketListener {
  readonly log: RecordingLog;
  readonly incoming: Incoming[];
  /** The next client that is let in. */
  next(): Promise<Incoming>;
}

/** A listener on loopback with one token, and whatever the test wants otherwise. */
export async function startHost(overrides: Partial<WebSocketListenerOptions> = {}): Promise<TestHost> {
  const log = new RecordingLog();
  const incoming: Incoming[] = [];
  const waiting: ((client: Incoming) => void)[] = [];
  const listener = await listenWebSocket({
    host: '127.0.0.1',
    port: 0,
    credentials: createTokenCredentials({ owner: TOKEN, guest: 'guest-token' }),
    isReady: () => true,
    onClient: (client) => {
      incoming.push(client);
      waiting.shift()?.(client);
    },
    clock: nodeClock,
    log,
    ...overrides,
  });
  return { ...listener, log, incoming, next: () => new Promise((resolve) => waiting.push(resolve)) };
}
