import type { Clock } from '../../ports/clock.js';
import { CLIENT_GRACE_MS, CLIENT_TOOL_MS } from './limits.js';

interface Running {
  readonly clientId: string;
  readonly fail: (message: string) => void;
  readonly timer: unknown;
}

/**
 * Watches tool calls that run in a client. They fail when the client takes too long, or disconnects and stays away
 * (B-199, B-200).
 */
export class ClientTools {
  readonly #clock: Clock;
  readonly #isConnected: (clientId: string) => boolean;
  readonly #running = new Set<Running>();
  readonly #absences = new Map<string, unknown>();

  constructor(clock: Clock, isConnected: (clientId: string) => boolean) {
    this.#clock = clock;
    this.#isConnected = isConnected;
  }

  /** Watches a call; returns how to stop watching. */
  watch(clientId: string, fail: (message: string) => void): () => void {
    const late = () => fail('The client did not answer in time.');
    const call: Running = { clientId, fail, timer: this.#clock.setTimeout(late, CLIENT_TOOL_MS) };
    this.#running.add(call);
    return () => {
      this.#clock.clearTimeout(call.timer);
      this.#running.delete(call);
    };
  }

  /** The client may reconnect in time and finish its calls: they belong to its id, not to its connection (OQ-66). */
  clientGone(clientId: string): void {
    this.#clock.clearTimeout(this.#absences.get(clientId));
    this.#absences.set(
      clientId,
      this.#clock.setTimeout(() => this.#endAbsence(clientId), CLIENT_GRACE_MS),
    );
  }

  /** Stops all timers. */
  dispose(): void {
    for (const timer of this.#absences.values()) this.#clock.clearTimeout(timer);
    for (const { timer } of this.#running) this.#clock.clearTimeout(timer);
  }

  #endAbsence(clientId: string): void {
    this.#absences.delete(clientId);
    if (this.#isConnected(clientId)) return;
    for (const call of [...this.#running]) {
      if (call.clientId === clientId) call.fail('The client that runs this tool has disconnected.');
    }
  }
}
