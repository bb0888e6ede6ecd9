import type { Clock, Log } from '@moorage/host';
import type { AskGateway } from '../move/ask-gateway.js';

export interface LeaseOptions {
  readonly ask: Pick<AskGateway, 'ask'>;
  readonly clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>;
  /** Milliseconds that only rise: the clock may be set back. */
  readonly monotonic?: () => number;
  readonly log: Log;
  /** Called with false from the start, and whenever the fleet may give the host's sessions to others; then with true again. */
  readonly onHeld: (isHeld: boolean) => void;
  /** The lease was refused, such as because others have taken sessions of the host. */
  readonly onRefused: () => void;
}

/** A fleet's promise not to give sessions of a host to others, for a while. */
export interface Lease {
  /** Asks for it now, such as because the bus is back. */
  renew(): void;
  /** Gives it back, so that nobody waits for it to end. */
  end(): Promise<void>;
}

/** Milliseconds for which it is asked. Whoever takes a session of a host that died waits for that long. */
export const LEASE_MS = 30_000;

/** Milliseconds between two requests: one may be lost, and the next still be in time. */
const RENEW_MS = 8_000;

/** Milliseconds between two looks at the time: after the machine has slept, agents must not act for longer than that. */
const CHECK_MS = 500;

/** Keeps a lease for as long as it is wanted. Until the first one is there, none is held. */
export function keepLease(options: LeaseOptions): Lease {
  const { ask, clock, log, onHeld, onRefused, monotonic = () => performance.now() } = options;
  const now = () => ({ wall: clock.now(), monotonic: monotonic() });
  let since: ReturnType<typeof now> | undefined;
  let isHeld = false;
  let isAsking = false;
  let isClosed = false;
  let isSaid = false;
  let renewal: unknown;
  let check: unknown;

  const hasLapsed = () => {
    if (!since) return true;
    const { wall, monotonic: elapsed } = now();
    return Math.max(wall - since.wall, elapsed - since.monotonic) >= LEASE_MS;
  };
  /** Said once, also by a host that never had a lease: its gateways may be older than it. */
  const sayIsolated = (reason: string) => {
    if (isSaid) return;
    isSaid = true;
    log.write('warn', 'fleet.isolated', 'the fleet may give up this host, so its agents are paused', { reason });
  };
  const look = () => {
    if (isClosed || isHeld === !hasLapsed()) return;
    isHeld = !isHeld;
    if (isHeld) {
      isSaid = false;
      log.write('info', 'fleet.rejoined', 'the fleet knows that this host is there: agents go on');
    } else sayIsolated('no gateway has answered for half a minute');
    onHeld(isHeld);
  };
  const watch = () => {
    look();
    check = clock.setTimeout(watch, CHECK_MS);
  };
  const renew = async () => {
    clock.clearTimeout(renewal);
    if (isAsking || isClosed) return;
    isAsking = true;
    const asked = now(); // the fleet counts from later on
    try {
      const { refused } = (await ask.ask({ ask: 'lease', ms: LEASE_MS }, true)).head;
      if (refused === undefined) since = asked;
      else onRefused();
    } catch (error) {
      if (!isHeld) sayIsolated(String(error));
    }
    isAsking = false;
    if (isClosed) return;
    look();
    renewal = clock.setTimeout(() => void renew(), RENEW_MS);
  };
  onHeld(false);
  watch();
  void renew();
  return {
    renew: () => void renew(),
    end: async () => {
      isClosed = true;
      clock.clearTimeout(renewal);
      clock.clearTimeout(check);
      await ask.ask({ ask: 'lease', ms: 0 }, true).catch(() => {}); // then it ends by itself
    },
  };
}
