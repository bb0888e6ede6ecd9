import { createTransportPair, type Transport } from '@moorage/protocol';
import { type Client, type ClientOptions, connect } from '../../src/index.js';
import { FakeClock, settled } from './fake-clock.js';
import { FakeHost, NOW } from './fake-host.js';
import {
  ANNOTATIONS,
  annotationsState,
  busyChat,
  CHAT,
  ROOT,
  rootState,
  SESSION,
  sessionState,
  TERMINAL,
  terminalState,
} from './samples.js';

/** Connects clients to a host in memory. */
export class Network {
  readonly #host: FakeHost;
  readonly #ends: Transport[] = [];
  /** How often somebody tried. */
  attempts = 0;
  /** Set: attempts fail with this. */
  failure: Error | undefined;

  constructor(host: FakeHost) {
    this.#host = host;
  }

  open = (): Transport => {
    this.attempts++;
    if (this.failure) throw this.failure;
    const [client, host] = createTransportPair();
    this.#ends.push(host);
    this.#host.connect(host);
    return client;
  };

  /** Breaks every connection. */
  async drop(code = 1006): Promise<void> {
    for (const end of this.#ends.splice(0)) end.close(code);
    await settled();
  }
}

export interface Rig {
  readonly host: FakeHost;
  readonly network: Network;
  readonly clock: FakeClock;
  readonly client: Client;
  readonly errors: unknown[];
}

export function fakeHost(): FakeHost {
  const host = new FakeHost();
  host.add(ROOT, 'root', rootState());
  host.add(SESSION, 'session', sessionState());
  host.add(CHAT, 'chat', busyChat());
  host.add(TERMINAL, 'terminal', terminalState());
  host.add(ANNOTATIONS, 'annotations', annotationsState());
  return host;
}

/** A client that is connected to a host with one channel of each common kind. */
export async function rig(options: ClientOptions & { host?: FakeHost } = {}): Promise<Rig> {
  const host = options.host ?? fakeHost();
  const network = new Network(host);
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const client = await connect({
    transport: network.open,
    clientId: 'me',
    clock,
    now: () => NOW,
    random: () => 0,
    onError: (error) => void errors.push(error),
    ...options,
  });
  return { host, network, clock, client, errors };
}

/** Lets messages arrive and the turn end. */
export async function quiet({ clock }: Pick<Rig, 'clock'>): Promise<void> {
  await settled();
  clock.turn();
  await settled();
}

/** Breaks the connection and waits until it is back. */
export async function reconnect({ network, clock }: Pick<Rig, 'network' | 'clock'>): Promise<void> {
  await network.drop();
  clock.advance(clock.nextIn ?? 0);
  await quiet({ clock });
}

/** What a promise came to, without waiting for it. */
export function outcome<T>(promise: Promise<T>): { value?: T; error?: unknown; state: 'open' | 'kept' | 'broken' } {
  const result: ReturnType<typeof outcome<T>> = { state: 'open' };
  promise.then(
    (value) => Object.assign(result, { state: 'kept', value }),
    (error) => Object.assign(result, { state: 'broken', error }),
  );
  return result;
}
