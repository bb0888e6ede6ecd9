import { Buffer } from 'node:buffer';
import { type Bus, type Clock, hostSubjects } from '@moorage/host';

/** Milliseconds between signs of life. */
const HEARTBEAT_MS = 1_500;
/** Milliseconds of silence after which a host is taken for gone: three heartbeats, and less than the five seconds promised. */
export const GONE_MS = 4_500;

export interface HeartbeatOptions {
  readonly bus: Bus;
  readonly host: string;
  readonly version: string;
  /** How many commits the fleet does not have yet. */
  readonly unshipped?: (() => number) | undefined;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
}

/** What a host says of itself while it is there. */
export interface Heartbeat {
  readonly version: string;
  /** Commits that the fleet does not have yet. */
  readonly unshipped?: number | undefined;
}

/** Says that a host is there, until it is stopped. */
export function startHeartbeat(options: HeartbeatOptions): { stop(): void } {
  const { bus, host, version, unshipped, clock } = options;
  const { here, gone } = hostSubjects(host);
  let timer: unknown;
  const beat = () => {
    clock.clearTimeout(timer);
    const said: Heartbeat = { version, ...(unshipped && { unshipped: unshipped() }) };
    bus.publish(here, Buffer.from(JSON.stringify(said)));
    timer = clock.setTimeout(beat, HEARTBEAT_MS);
  };
  const state = bus.onState((isUp) => {
    if (isUp) beat();
  });
  beat();
  return {
    stop: () => {
      state.end();
      clock.clearTimeout(timer);
      bus.publish(gone, new Uint8Array());
    },
  };
}

export function readHeartbeat(text: string): Heartbeat | undefined {
  try {
    const { version, unshipped } = JSON.parse(text) as Partial<Heartbeat>;
    if (typeof version !== 'string' || version.length > MAX_VERSION_CHARS) return undefined;
    const isCount = Number.isSafeInteger(unshipped) && Number(unshipped) >= 0;
    return { version, ...(isCount && { unshipped }) };
  } catch {
    return undefined; // it is there all the same
  }
}

const MAX_VERSION_CHARS = 64;
