import { Buffer } from 'node:buffer';
import { type Bus, type BusSubscription, type Clock, hostSubjects } from '@moorage/host';
import { GONE_MS, type Heartbeat, readHeartbeat } from '../member/heartbeat.js';

export interface PresenceOptions {
  readonly bus: Bus;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  /** Called when a host comes and when it goes. */
  readonly onChange: (host: string, isHere: boolean) => void;
}

interface HostThere {
  readonly said: Heartbeat | undefined;
  readonly timer: unknown;
}

/** Which hosts are there, by their heartbeats. While the bus is down nothing is heard, so nobody is taken for gone. */
export class Presence {
  readonly #options: PresenceOptions;
  /** Set until every host that is there must have been heard. */
  #listening: unknown;
  readonly #there = new Map<string, HostThere>();
  readonly #subscriptions: readonly BusSubscription[];

  constructor(options: PresenceOptions) {
    this.#options = options;
    const { bus } = options;
    const { here, gone } = hostSubjects('*');
    this.#subscriptions = [
      bus.subscribe(here, ({ subject, body }) => this.#heard(hostOf(subject), Buffer.from(body).toString())),
      bus.subscribe(gone, ({ subject }) => this.leave(hostOf(subject))),
      bus.onState(() => this.#listenAnew()),
    ];
    this.#listenAnew();
  }

  /** False while a host that was not heard may be there all the same. */
  get isComplete(): boolean {
    return this.#options.bus.isUp && this.#listening === undefined;
  }

  get hosts(): readonly string[] {
    return [...this.#there.keys()];
  }

  has(host: string): boolean {
    return this.#there.has(host);
  }

  versionOf(host: string): string | undefined {
    return this.#there.get(host)?.said?.version;
  }

  /** How many commits of a host the fleet does not have yet. */
  unshippedOf(host: string): number | undefined {
    return this.#there.get(host)?.said?.unshipped;
  }

  /** Takes a host for gone, such as one that was revoked. */
  leave(host: string): void {
    const { clock, onChange } = this.#options;
    const known = this.#there.get(host);
    if (!known) return;
    clock.clearTimeout(known.timer);
    this.#there.delete(host);
    onChange(host, false);
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.end();
    this.#options.clock.clearTimeout(this.#listening);
    for (const { timer } of this.#there.values()) this.#options.clock.clearTimeout(timer);
    this.#there.clear();
  }

  #heard(host: string, text: string): void {
    const known = this.#there.get(host);
    this.#expect(host, readHeartbeat(text));
    if (!known) this.#options.onChange(host, true);
  }

  #expect(host: string, said: Heartbeat | undefined): void {
    const { clock, bus } = this.#options;
    clock.clearTimeout(this.#there.get(host)?.timer);
    const timer = clock.setTimeout(() => {
      if (bus.isUp) this.leave(host);
    }, GONE_MS);
    this.#there.set(host, { said, timer });
  }

  #listenAnew(): void {
    const { clock, bus } = this.#options;
    if (!bus.isUp) return;
    clock.clearTimeout(this.#listening);
    this.#listening = clock.setTimeout(() => {
      this.#listening = undefined;
    }, GONE_MS);
    for (const [host, { said }] of this.#there) this.#expect(host, said);
  }
}

/** `ahp.h.ID.here` */
function hostOf(subject: string): string {
  return subject.split('.')[2] ?? '';
}
