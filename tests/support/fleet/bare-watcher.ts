import { createHash } from 'node:crypto';
import type { Transport } from '@moorage/client';
import { type ActionEnvelope, ROOT_URI } from '@moorage/protocol';

/** What is left of a history: enough to tell whether two are the same, however long they are. */
export class HistoryDigest {
  count = 0;
  last = 0;
  readonly #hash = createHash('sha1');

  add(envelope: ActionEnvelope): void {
    this.count++;
    this.last = envelope.serverSeq;
    this.#hash.update(JSON.stringify(envelope));
  }

  get text(): string {
    return `${this.count} to ${this.last}: ${this.#hash.copy().digest('hex')}`;
  }
}

/** Milliseconds before it tries again to reach a gateway. */
const AGAIN_MS = 50;

/**
 * A client that only watches, and comes back wherever a gateway answers. It keeps no states, so that there can be thousands of
 * them, and notes whatever it was not told in order.
 */
export class BareWatcher {
  readonly history = new HistoryDigest();
  readonly problems: string[] = [];
  resumed = 0;
  isLive = false;
  /** Where it began to watch. */
  from = 0;
  readonly #clientId: string;
  readonly #channels: readonly string[];
  readonly #dial: () => Promise<Transport>;
  #transport: Transport | undefined;
  #seen = 0;
  #hasEnded = false;

  constructor(clientId: string, channels: readonly string[], dial: () => Promise<Transport>) {
    this.#clientId = clientId;
    this.#channels = channels;
    this.#dial = dial;
  }

  /** Resolves when it watches for the first time. */
  start(): Promise<void> {
    const [channel, clientId] = [ROOT_URI, this.#clientId];
    return this.#connect({
      method: 'initialize',
      params: { channel, clientId, protocolVersions: ['1.0.0'], initialSubscriptions: this.#channels },
    });
  }

  end(): void {
    this.#hasEnded = true;
    this.#transport?.close();
  }

  async #connect(hello: { readonly method: string; readonly params: object }): Promise<void> {
    while (!this.#hasEnded) {
      const isLive = await this.#attempt(hello).catch(() => false);
      if (isLive) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  async #attempt(hello: object): Promise<boolean> {
    const transport = await this.#dial();
    this.#transport = transport;
    return new Promise((resolve) => {
      transport.onMessage((text) => this.#take(JSON.parse(text), resolve));
      transport.onClose(() => {
        resolve(false);
        if (this.#transport !== transport || !this.isLive) return;
        this.isLive = false;
        void this.#reconnect();
      });
      transport.send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...hello }));
    });
  }

  #reconnect(): Promise<void> {
    const [channel, clientId, lastSeenServerSeq] = [ROOT_URI, this.#clientId, this.#seen];
    return this.#connect({
      method: 'reconnect',
      params: { channel, clientId, lastSeenServerSeq, subscriptions: this.#channels },
    });
  }

  #take(message: Heard, live: (isLive: boolean) => void): void {
    if (message.method === 'action' && message.params) this.#see(message.params);
    if (message.id !== 1) return;
    const { result, error } = message;
    if (error) this.problems.push(`refused: ${error.message}`);
    if (result?.type === 'replay') this.resumed++;
    if (result?.type === 'snapshot') this.problems.push('got snapshots instead of a replay');
    for (const envelope of result?.actions ?? []) this.#see(envelope);
    if (result?.serverSeq !== undefined) this.from = this.#seen = result.serverSeq;
    this.isLive = !error;
    live(true);
  }

  #see(envelope: ActionEnvelope): void {
    if (!this.#channels.includes(envelope.channel)) return;
    if (envelope.serverSeq <= this.#seen) this.problems.push(`${envelope.serverSeq} came after ${this.#seen}`);
    this.#seen = envelope.serverSeq;
    this.history.add(envelope);
  }
}

/** What a watcher looks at in a message. */
interface Heard {
  readonly id?: number;
  readonly method?: string;
  readonly params?: ActionEnvelope;
  readonly result?: {
    readonly type?: 'replay' | 'snapshot';
    readonly actions?: readonly ActionEnvelope[];
    readonly serverSeq?: number;
  };
  readonly error?: { readonly message: string };
}
