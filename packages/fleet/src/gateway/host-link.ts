import { type AgentInfo, type Client, connect, type SessionSummary } from '@moorage/client';
import type { Bus, Clock, Log } from '@moorage/host';
import type { Transport } from '@moorage/protocol';
import { dialForClient } from './dial-client.js';

export interface HostLinkOptions {
  readonly bus: Bus;
  readonly host: string;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly log: Log;
  /** Called with all that the host has, whenever something of it changed. */
  readonly onChange: (agents: readonly AgentInfo[], sessions: readonly SessionSummary[]) => void;
}

/** Milliseconds before another attempt to reach a host that is there but does not answer. */
const RETRY_MS = 1_000;
const RECONNECT = { minDelayMs: 100, maxDelayMs: 2_000 };

/** A gateway's own connection to a host that is there: it follows the host's agents and its list of sessions. */
export class HostLink {
  readonly #options: HostLinkOptions;
  #client: Client | undefined;
  #timer: unknown;
  #isClosed = false;

  constructor(options: HostLinkOptions) {
    this.#options = options;
    void this.#open();
  }

  close(): void {
    this.#isClosed = true;
    this.#options.clock.clearTimeout(this.#timer);
    this.#client?.close();
  }

  async #open(): Promise<void> {
    const { host, log, onChange } = this.#options;
    try {
      const client = await connect({
        transport: () => this.#dial(),
        clientInfo: { name: 'moorage-gateway' },
        reconnect: RECONNECT,
        onError: (error) =>
          log.write('warn', 'fleet.host-misbehaves', 'a host broke the protocol', { host, error: String(error) }),
      });
      this.#client = client;
      if (this.#isClosed) return client.close();
      const [root, sessions] = await Promise.all([client.root(), client.sessions()]);
      let isDue = false;
      const changed = () => {
        if (isDue) return;
        isDue = true;
        setImmediate(() => {
          isDue = false;
          if (!this.#isClosed) onChange(root.confirmed.agents, sessions.items);
        });
      };
      root.subscribe(changed);
      sessions.subscribe(changed);
      client.onStatus((status, error) => {
        if (status === 'closed') this.#openLater(error); // such as by a host that does not know the client any more
      });
      changed();
    } catch (error) {
      this.#client?.close();
      this.#openLater(error);
    }
  }

  #openLater(error: unknown): void {
    if (this.#isClosed) return;
    const { host, clock, log } = this.#options;
    log.write('warn', 'fleet.host-unreachable', 'a host that is there cannot be reached; trying again', {
      host,
      error: String(error),
    });
    this.#timer = clock.setTimeout(() => void this.#open(), RETRY_MS);
  }

  #dial(): Promise<Transport> {
    const { bus, host, clock, log } = this.#options;
    const from = { connection: crypto.randomUUID() };
    return dialForClient({ bus, host, from, clock, log });
  }
}
