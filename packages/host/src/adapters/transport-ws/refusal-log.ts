import type { Clock, Log, LogEvent } from '../../ports/index.js';

interface Noted {
  /** When it was last logged, in milliseconds since the epoch. */
  loggedAt: number;
  /** How many there were since. */
  unlogged: number;
}

/** Warns of the first refusal of a kind from an address, and then at most once a minute how many more there were. */
export class RefusalLog {
  readonly #log: Log;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #noted = new Map<string, Noted>();

  constructor(log: Log, clock: Pick<Clock, 'now'>) {
    this.#log = log;
    this.#clock = clock;
  }

  warn(event: LogEvent, message: string, address: string, fields: Readonly<Record<string, number>>): void {
    const now = this.#clock.now();
    const kind = `${event} ${JSON.stringify(fields)}`;
    const remote = this.#hasRoomFor(`${kind} ${address}`, now) ? address : 'other addresses';
    const key = `${kind} ${remote}`;
    const noted = this.#noted.get(key) ?? { loggedAt: Number.NEGATIVE_INFINITY, unlogged: 0 };
    noted.unlogged++;
    this.#noted.set(key, noted);
    if (!isDue(noted, now)) return;
    this.#log.write('warn', event, message, { ...fields, remote, count: noted.unlogged });
    noted.loggedAt = now;
    noted.unlogged = 0;
  }

  #hasRoomFor(key: string, now: number): boolean {
    if (this.#noted.has(key) || this.#noted.size < MAX_NOTED) return true;
    for (const [other, noted] of this.#noted) if (isDue(noted, now)) this.#noted.delete(other);
    return this.#noted.size < MAX_NOTED;
  }
}

function isDue({ loggedAt }: Noted, now: number): boolean {
  return Math.abs(now - loggedAt) >= LOG_EVERY_MS; // also if the clock was set back
}

/** Milliseconds between two lines about the same: an attack of a day then takes 1,440 lines. */
const LOG_EVERY_MS = 60_000;

/** Kinds of refusals by address that have a line of their own; more share one. Bounds the memory and the log. */
const MAX_NOTED = 256;
