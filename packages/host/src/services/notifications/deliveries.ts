import type { NotificationOutcome } from '../../ports/notifications.js';
import type { HostContext } from '../context.js';
import { MAX_DELIVERIES, RETRY_AFTER_MS } from './limits.js';

export interface Delivery {
  /** Where to, for the log: nothing secret. */
  readonly to: string;
  send(signal: AbortSignal): Promise<NotificationOutcome>;
  /** Nobody will receive anything there again. */
  gone(): void;
}

/** Carries out deliveries, and tries again a few times what failed. None outlives the host. */
export class Deliveries {
  readonly #context: HostContext;
  readonly #stopping = new AbortController();
  readonly #timers = new Set<unknown>();
  #count = 0;

  constructor(context: HostContext) {
    this.#context = context;
  }

  begin(delivery: Delivery): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#count >= MAX_DELIVERIES) {
      this.#failed('notification.dropped', 'a notification was dropped: too many wait to be sent', delivery);
      return;
    }
    this.#count++;
    void this.#attempt(delivery, 0);
  }

  stop(): void {
    this.#stopping.abort();
    for (const timer of this.#timers) this.#context.clock.clearTimeout(timer);
    this.#timers.clear();
  }

  async #attempt(delivery: Delivery, failures: number): Promise<void> {
    const outcome = await delivery
      .send(this.#stopping.signal)
      .catch((error: unknown): NotificationOutcome => ({ kind: 'failed', reason: String(error), mayRetry: false }));
    if (this.#stopping.signal.aborted) return;
    const pause = RETRY_AFTER_MS[failures];
    if (outcome.kind === 'failed' && outcome.mayRetry && pause !== undefined) {
      const timer = this.#context.clock.setTimeout(() => {
        this.#timers.delete(timer);
        void this.#attempt(delivery, failures + 1);
      }, pause);
      this.#timers.add(timer);
      return;
    }
    this.#count--;
    if (outcome.kind === 'gone') delivery.gone();
    if (outcome.kind === 'failed')
      this.#failed('notification.failed', 'a notification could not be delivered', delivery, outcome.reason);
  }

  #failed(event: `notification.${string}`, message: string, { to }: Delivery, reason?: string): void {
    this.#context.log.write('warn', event, message, { to, ...(reason !== undefined && { reason }) });
  }
}
