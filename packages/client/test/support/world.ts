import type { ActionEnvelope, ActionOf, ChannelKind } from '@moorage/protocol';
import { type Client, connect, type Mirror } from '../../src/index.js';
import { FakeClock, settled } from './fake-clock.js';
import { canonical, type FakeHost, NOW } from './fake-host.js';
import { Wire } from './wire.js';

export interface Dispatched {
  readonly key: string;
  readonly mirror: Mirror<ChannelKind>;
  settlements: number;
  envelope?: ActionEnvelope;
  error?: unknown;
}

/** One client with its own wire and its own time. */
export class Member {
  readonly id: string;
  readonly clock = new FakeClock();
  readonly mirrors = new Map<string, Mirror<ChannelKind>>();
  readonly dispatched: Dispatched[] = [];
  /** The place in the host's history that each mirror has shown. */
  readonly #shown = new Map<Mirror<ChannelKind>, number>();
  readonly #host: FakeHost;
  readonly #awaited = new Set<string>();
  wire: Wire | undefined;
  client: Client | undefined;
  #clientSeq = 0;

  constructor(id: string, host: FakeHost) {
    this.id = id;
    this.#host = host;
  }

  async connect(): Promise<void> {
    const transport = () => {
      this.wire = new Wire();
      this.#host.connect(this.wire.host);
      return this.wire.client;
    };
    const connecting = connect({
      transport,
      clientId: this.id,
      clock: this.clock,
      now: () => NOW,
      random: () => 0.5,
      initialSubscriptions: [],
      onError: () => {},
    });
    await settled();
    await this.deliverAll();
    this.client = await connecting;
  }

  hold(uri: string): void {
    if (this.mirrors.has(uri) || this.#awaited.has(uri)) return;
    this.#awaited.add(uri);
    this.client?.subscribe(uri).then(
      (mirror) => {
        this.#awaited.delete(uri);
        this.mirrors.set(uri, mirror);
      },
      () => this.#awaited.delete(uri),
    );
  }

  release(uri: string): void {
    this.mirrors.get(uri)?.release();
    this.mirrors.delete(uri);
  }

  dispatch(uri: string, action: ActionOf<ChannelKind>): void {
    const mirror = this.mirrors.get(uri);
    if (!mirror) return;
    this.#clientSeq++;
    const entry: Dispatched = { key: `${this.id}#${this.#clientSeq}`, mirror, settlements: 0 };
    this.dispatched.push(entry);
    mirror.dispatch(action).then(
      (envelope) => Object.assign(entry, { settlements: entry.settlements + 1, envelope }),
      (error) => Object.assign(entry, { settlements: entry.settlements + 1, error }),
    );
  }

  /** A mirror may lag, but it shows the states that the host had, in their order. */
  look(): void {
    for (const [uri, mirror] of this.mirrors) {
      const history = this.#host.histories.get(uri) ?? [];
      const shown = history.indexOf(canonical(mirror.confirmed), this.#shown.get(mirror) ?? 0);
      if (shown < 0)
        throw new Error(`${this.id} shows a state of ${uri} that the host never had, or not after the last`);
      this.#shown.set(mirror, shown);
      if (mirror.pendingCount === 0 && mirror.optimistic !== mirror.confirmed)
        throw new Error('optimistic without reason');
    }
  }

  async deliverAll(): Promise<void> {
    do {
      this.wire?.deliver('up');
      this.wire?.deliver('down');
      await settled();
    } while (!this.isQuiet);
  }

  /** Nothing is under way in either direction. */
  get isQuiet(): boolean {
    return !this.wire?.open || this.wire.waiting('up') + this.wire.waiting('down') === 0;
  }
}

/** Lets everything that is under way arrive and everybody come back. */
export async function heal(host: FakeHost, members: readonly Member[]): Promise<void> {
  host.lazy = false;
  host.decide = () => 'accept';
  host.resumeWith = 'replay';
  host.flush();
  host.releaseDeferred();
  for (let round = 0; round < 100; round++) {
    for (const member of members) {
      await member.deliverAll();
      member.clock.turn();
      if (!isWell(member)) member.clock.advance(member.clock.nextIn ?? 0);
      await settled();
      await member.deliverAll();
    }
    if (members.every((member) => isWell(member) && member.isQuiet)) return;
  }
  throw new Error('it does not heal');
}

function isWell({ client, mirrors }: Member): boolean {
  return client?.status === 'live' && [...mirrors.values()].every(({ status }) => status !== 'stale');
}
