import { Buffer } from 'node:buffer';
import { type Bus, type BusSubscription, type Clock, hostSubjects } from '@moorage/host';
import { GONE_MS, readHeartbeat } from '../member/heartbeat.js';

export interface PresenceOptions {
  readonly bus: Bus;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  /** Called when a host comes and when it goes. */
  readonly onChange: (host: string, isHere: boolean) => void;
}

interface HostThere {
  readonly version: string | undefined;
  readonly timer: unknown;
}

/** Which hosts are there, by their heartbeats. */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #there = new Map<string, HostThere>();
  readonly #subscriptions: readonly BusSubscription[];

  constructor(options: PresenceOptions) {
    this.#options = options;
    const { bus } = options;
    const { here, gone } = hostSubjects('*');
    this.#subscriptions = [
      bus.subscribe(here, ({ subject, body }) => this.#heard(hostOf(subject), Buffer.from(body).toString())),
      bus.subscribe(gone, ({ subject }) => this.leave(hostOf(subject))),
    ];
  }

  get hosts(): readonly string[] {
    return [...this.#there.keys()];
  }

  has(host: string): boolean {
    return this.#there.has(host);
  }

  versionOf(host: string): string | undefined {
    return this.#there.get(host)?.version;
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
    for (const { timer } of this.#there.values()) this.#options.clock.clearTimeout(timer);
    this.#there.clear();
  }

  #heard(host: string, text: string): void {
    const { clock, onChange } = this.#options;
    const known = this.#there.get(host);
    clock.clearTimeout(known?.timer);
    const timer = clock.setTimeout(() => this.leave(host), GONE_MS);
    this.#there.set(host, { version: readHeartbeat(text)?.version, timer });
    if (!known) onChange(host, true);
  }
}

/** `ahp.h.ID.here` */
function hostOf(subject: string): string {
  return subject.split('.')[2] ?? '';
}
