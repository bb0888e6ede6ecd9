import { type Bus, BusError, type BusMessage, type Log, silentLog } from '@moorage/host';
import {
  type Authenticator,
  connect,
  errors,
  type Msg,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';

export interface NatsBusOptions {
  /** Addresses such as `nats://bus.example:4222`, or `tls://...` to insist on TLS; any of them will do. */
  readonly servers: readonly string[];
  /** Shown by the server to whoever runs it. */
  readonly name: string;
  readonly authenticator?: Authenticator;
  /** The first words of subjects that answers come to; a host may use only its own. */
  readonly inboxPrefix?: string;
  readonly log?: Log;
  /** The server does not let us in any more, after it did. No further attempt is made. */
  readonly onRefused?: () => void;
}

/** Milliseconds between attempts to get a lost connection back. */
const RECONNECT_MS = 500;
/** A server that says nothing for this long, twice, is taken for gone. */
const PING_MS = 5_000;
const CONNECT_MS = 10_000;

/** A bus by way of a NATS server. Rejects with a BusError if there is none, or if it refuses who we are. */
export async function connectNatsBus(options: NatsBusOptions): Promise<Bus> {
  const { servers, name, authenticator, inboxPrefix, log = silentLog, onRefused = () => {} } = options;
  let connection: NatsConnection;
  try {
    connection = await connect({
      servers: [...servers],
      name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      reconnectJitter: RECONNECT_MS,
      pingInterval: PING_MS,
      maxPingOut: 2,
      timeout: CONNECT_MS,
      ...(authenticator && { authenticator }),
      ...(inboxPrefix !== undefined && { inboxPrefix }),
      ...(servers.some((url) => url.startsWith('tls:')) && { tls: {} }), // else a server that offers none would do
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BusError('down', `cannot connect to the bus at ${servers.join(', ')}: ${why}`, { cause: error });
  }
  return new NatsBus(connection, log, onRefused);
}

class NatsBus implements Bus {
  readonly maxBytes: number;
  readonly #connection: NatsConnection;
  readonly #log: Log;
  readonly #stateListeners = new Set<(isUp: boolean) => void>();
  /** Requests under way: the library would let them wait for their time to be over. */
  readonly #waiting = new Set<(error: BusError) => void>();
  #isUp = true;

  constructor(connection: NatsConnection, log: Log, onRefused: () => void) {
    this.#connection = connection;
    this.#log = log;
    this.maxBytes = connection.info?.max_payload ?? 0;
    void this.#follow();
    void connection.closed().then((error) => {
      this.#become(false);
      if (!error) return;
      log.write('error', 'fleet.bus-closed', 'the bus has closed the connection for good', { error: error.name });
      onRefused();
    });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  publish(subject: string, body: Uint8Array): void {
    // The library would keep what is said while it is down, without bound, and say it late.
    if (this.#isUp) this.#connection.publish(subject, body);
  }

  subscribe(pattern: string, listener: (message: BusMessage) => void) {
    return this.#listen(pattern, undefined, ({ subject, data }) => listener({ subject, body: data }));
  }

  serve(pattern: string, answer: (message: BusMessage) => Promise<Uint8Array>, group?: string) {
    return this.#listen(pattern, group, (message) => {
      answer({ subject: message.subject, body: message.data }).then(
        (body) => {
          if (this.#isUp) message.respond(body);
        },
        (error: unknown) => {
          const what = error instanceof Error ? error.name : typeof error;
          this.#log.write('error', 'fleet.request-failed', 'a request over the bus failed', { pattern, error: what });
        },
      );
    });
  }

  request(subject: string, body: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    if (!this.#isUp) return Promise.reject(DOWN());
    return new Promise((resolve, reject) => {
      const fail = (error: BusError) => {
        this.#waiting.delete(fail);
        reject(error);
      };
      this.#waiting.add(fail);
      this.#connection.request(subject, body, { timeout: timeoutMs }).then(
        ({ data }) => {
          this.#waiting.delete(fail);
          resolve(data);
        },
        (error: unknown) => fail(explain(error, subject)),
      );
    });
  }

  async flush(): Promise<void> {
    if (!this.#isUp) throw DOWN();
    await this.#connection.flush().catch((cause: unknown) => {
      throw new BusError('down', 'the bus is down', { cause });
    });
  }

  onState(listener: (isUp: boolean) => void) {
    const own = (isUp: boolean) => listener(isUp); // the same function may be given twice
    this.#stateListeners.add(own);
    return { end: () => void this.#stateListeners.delete(own) };
  }

  async close(): Promise<void> {
    if (this.#isUp) await this.#connection.flush().catch(() => {});
    this.#become(false);
    await this.#connection.close();
  }

  #listen(pattern: string, queue: string | undefined, listener: (message: Msg) => void) {
    const subscription: Subscription = this.#connection.subscribe(pattern, {
      ...(queue !== undefined && { queue }),
      callback: (error, message) => {
        if (!error) return listener(message);
        this.#log.write('error', 'fleet.not-permitted', 'the bus does not permit a subscription', {
          pattern,
          error: error.name,
        });
      },
    });
    return { end: () => subscription.unsubscribe() };
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect' || type === 'staleConnection') this.#become(false);
      else if (type === 'reconnect') this.#become(true);
    }
  }

  #become(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    if (isUp) this.#log.write('info', 'fleet.bus-up', 'the bus is up again');
    else this.#log.write('info', 'fleet.bus-down', 'the bus is down');
    if (!isUp) for (const fail of [...this.#waiting]) fail(DOWN());
    for (const listener of [...this.#stateListeners]) listener(isUp);
  }
}

const DOWN = () => new BusError('down', 'the bus is down');

function explain(error: unknown, subject: string): BusError {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const is = (kind: new (...args: never[]) => Error) => causes.some((cause) => cause instanceof kind);
  if (is(errors.NoRespondersError)) return new BusError('unserved', `nobody serves ${subject}`, { cause: error });
  if (is(errors.TimeoutError)) return new BusError('late', `no answer on ${subject} in time`, { cause: error });
  return new BusError('down', 'the bus is down', { cause: error });
}
