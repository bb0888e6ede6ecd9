import type { ClientTransport, Clock, FrameBatch } from '@moorage/host';
import { CloseCodes } from '@moorage/protocol';
import type { Shipper } from './shipper.js';

/** Milliseconds for which something may wait for the fleet's store, before its client is told to come again. */
const HELD_MS = 15_000;

interface Held {
  /** Once the fleet has this tick, it may be sent. */
  readonly tick: number;
  readonly chars: number;
  readonly since: number;
  send(): void;
}

export interface HoldBackOptions {
  readonly shipper: Pick<Shipper, 'last' | 'position' | 'onShipped'>;
  readonly clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>;
  readonly heldMs?: number;
}

/**
 * Makes transports that send nothing before the fleet has all that was committed until then: what somebody has seen through
 * a gateway is readable even if the machine is lost in the next moment. Order is kept; nothing waits while all is shipped.
 */
export function holdingBack({ shipper, clock, heldMs = HELD_MS }: HoldBackOptions) {
  const waiting = new Set<(position: number) => void>();
  shipper.onShipped((position) => {
    for (const release of waiting) release(position);
  });

  return (inner: ClientTransport): ClientTransport => {
    let held: Held[] = [];
    let chars = 0;
    let timer: unknown;
    const release = (position: number) => {
      const ready = held.findIndex(({ tick }) => tick > position);
      const sent = ready < 0 ? held : held.slice(0, ready);
      if (sent.length === 0) return;
      held = ready < 0 ? [] : held.slice(ready);
      for (const one of sent) {
        chars -= one.chars;
        one.send();
      }
      watch();
      if (held.length === 0 && inner.backlog === 0) for (const listener of drained) listener();
    };
    const watch = () => {
      clock.clearTimeout(timer);
      const [first] = held;
      if (!first) {
        waiting.delete(release);
        return;
      }
      waiting.add(release);
      const late = () => inner.close(CloseCodes.TryAgainLater, 'the fleet cannot store what this host does');
      timer = clock.setTimeout(late, first.since + heldMs - clock.now());
    };
    const after = (length: number, send: () => void) => {
      const tick = shipper.last;
      if (held.length === 0 && tick <= shipper.position) return send();
      held.push({ tick, chars: length, since: clock.now(), send });
      chars += length;
      if (held.length === 1) watch();
    };
    const drained: (() => void)[] = [];
    inner.onDrain(() => {
      if (held.length === 0) for (const listener of drained) listener();
    });
    inner.onClose(() => {
      held = [];
      chars = 0;
      watch();
    });
    return {
      send: (text) => after(text.length, () => inner.send(text)),
      sendBatch: (batch) => after(lengthOf(batch), () => inner.sendBatch(batch)),
      close: (code, reason) => after(0, () => inner.close(code, reason)),
      onMessage: (listener) => inner.onMessage(listener),
      onClose: (listener) => inner.onClose(listener),
      onDrain: (listener) => drained.push(listener),
      get backlog() {
        return inner.backlog + chars;
      },
    };
  };
}

function lengthOf({ frames }: FrameBatch): number {
  return frames.reduce((sum, frame) => sum + frame.length, 0);
}
