import type { Clock } from '../../ports/clock.js';
import { CLIENT_GRACE_MS, CLIENT_TOOL_MS } from './limits.js';

interface Watched {
  readonly clientId: string;
  readonly fail: (message: string) => void;
  timer: unknown;
}

/** Tools that run in a client: they fail when the client takes too long, or goes away and does not come back (B-199, B-200). */
export class ClientTools {
  readonly #clock: Clock;
  readonly #isConnected: (clientId: string) => boolean;
  readonly #watched = new Map<string, Watched>();

  constructor(clock: Clock, isConnected: (clientId: string) => boolean) {
    this.#clock = clock;
    this.#isConnected = isConnected;
  }

  /** Watches a call; gives back how to end that. */
  watch(toolCallId: string, clientId: string, fail: (message: string) => void): () => void {
    const late = () => fail('The client did not answer in time.');
    this.#watched.set(toolCallId, { clientId, fail, timer: this.#clock.setTimeout(late, CLIENT_TOOL_MS) });
    return () => {
      this.#clock.clearTimeout(this.#watched.get(toolCallId)?.timer);
      this.#watched.delete(toolCallId);
    };
  }

  /** The client may come back in time and finish what it runs: ownership is by its id, not by its connection (OQ-66). */
  clientGone(clientId: string): void {
    this.#clock.setTimeout(() => {
      if (this.#isConnected(clientId)) return;
      for (const watched of [...this.#watched.values()]) {
        if (watched.clientId === clientId) watched.fail('The client that runs this tool has disconnected.');
      }
    }, CLIENT_GRACE_MS);
  }
}
