import type { URI } from '@ahpd/protocol';
import type { WireObject } from '@ahpd/protocol/versions';
import { MAX_REMEMBERED_CLIENTS, MAX_REMEMBERED_ECHO_CHARS } from '../limits.js';

export interface Dispatched {
  readonly channel: URI;
  readonly action: WireObject;
}

/**
 * Remembers dispatches of clients of other versions as they were sent, for use as their echo. An action translated to our
 * version and back may lack members, which the client would then lose.
 */
export class EchoMemory {
  readonly #clients = new Map<string, { sent: Map<number, Dispatched & { chars: number }>; chars: number }>();

  get(clientId: string, clientSeq: number): Dispatched | undefined {
    return this.#clients.get(clientId)?.sent.get(clientSeq);
  }

  add(clientId: string, clientSeq: number, { channel, action }: Dispatched): void {
    const memory = this.#clients.get(clientId) ?? { sent: new Map(), chars: 0 };
    const chars = JSON.stringify(action).length + channel.length;
    this.#clients.delete(clientId);
    this.#clients.set(clientId, memory);
    memory.chars += chars - (memory.sent.get(clientSeq)?.chars ?? 0);
    memory.sent.set(clientSeq, { channel, action, chars });
    for (const [seq, oldest] of memory.sent) {
      if (memory.chars <= MAX_REMEMBERED_ECHO_CHARS || seq === clientSeq) break;
      memory.sent.delete(seq);
      memory.chars -= oldest.chars;
    }
    const [forgotten] = this.#clients.keys();
    if (this.#clients.size > MAX_REMEMBERED_CLIENTS && forgotten !== undefined) this.#clients.delete(forgotten);
  }

  /** Called on `initialize`: the client may start its clientSeq at 1 again. */
  forget(clientId: string): void {
    this.#clients.delete(clientId);
  }
}
