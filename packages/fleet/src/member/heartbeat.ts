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
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
}

/** What a host says of itself while it is there. */
interface Heartbeat {
  readonly version: string;
}

/** Says that a host is there, until it is stopped. */
export function startHeartbeat({ bus, host, version, clock }: HeartbeatOptions): { stop(): void } {
  const { here, gone } = hostSubjects(host);
  const body = Buffer.from(JSON.stringify({ version } satisfies Heartbeat));
  let timer: unknown;
  const beat = () => {
    clock.clearTimeout(timer);
    bus.publish(here, body);
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
    const { version } = JSON.parse(text) as Partial<Heartbeat>;
    return typeof version === 'string' && version.length <= MAX_VERSION_CHARS ? { version } : undefined;
  } catch {
    return undefined; // it is there all the same
  }
}

const MAX_VERSION_CHARS = 64;
