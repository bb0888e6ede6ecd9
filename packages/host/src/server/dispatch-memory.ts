import type { ActionEnvelope, StateAction, URI } from '@moorage/protocol';
import type { WireDispatch } from '@moorage/protocol/versions';
import { MAX_REMEMBERED_CHARS, MAX_REMEMBERED_CHARS_IN_ALL, MAX_REMEMBERED_CLIENTS } from './limits.js';

export type Dispatch = WireDispatch & { readonly clientSeq: number };

/** What a client sent, and whether the host took it for something else (see `UpwardAction`). */
export interface SentDispatch extends WireDispatch {
  readonly isRephrased: boolean;
}

/** A dispatch as it was sent, and as the host understood it. */
interface Remembered {
  readonly sent: Dispatch;
  readonly chars: number;
  channel: URI;
  action: StateAction;
  /** Its echo has a serverSeq above this. Undefined for one that was not accepted. */
  acceptedAfter: number | undefined;
  /** Whether its sender reconnected without having seen the echo, and so may send it again. */
  mayRepeat: boolean;
  isRephrased: boolean;
}

interface Client {
  readonly dispatches: Remembered[];
  chars: number;
}

/**
 * Remembers the dispatches of each client since its last `initialize`. With it, one that is sent again after a reconnect
 * is not applied twice (OQ-23), and clients of other versions get their own words back as the echo: an action translated
 * to our version and back may lack members, which they would then lose. A clientSeq alone identifies nothing: some clients
 * start at 1 with every connection, others send several actions with the same one. The oldest are forgotten past a bound.
 */
export class DispatchMemory {
  readonly #clients = new Map<string, Client>();
  #chars = 0;

  add(clientId: string, sent: Dispatch, channel: URI, action: StateAction): Remembered {
    const client = this.#clients.get(clientId) ?? { dispatches: [], chars: 0 };
    this.#clients.delete(clientId);
    this.#clients.set(clientId, client);
    const chars = JSON.stringify(sent).length;
    const remembered: Remembered = {
      sent,
      chars,
      channel,
      action,
      acceptedAfter: undefined,
      mayRepeat: false,
      isRephrased: false,
    };
    client.dispatches.push(remembered);
    this.#grow(client, chars);
    while (client.chars > MAX_REMEMBERED_CHARS && client.dispatches.length > 1) {
      this.#grow(client, -(client.dispatches.shift()?.chars ?? 0));
    }
    for (const oldest of this.#clients.keys()) {
      const isFull = this.#clients.size > MAX_REMEMBERED_CLIENTS || this.#chars > MAX_REMEMBERED_CHARS_IN_ALL;
      if (!isFull || oldest === clientId) break;
      this.forget(oldest);
    }
    return remembered;
  }

  /** The accepted dispatch that this one repeats: equal in every member, and from before a reconnect. */
  repeated(clientId: string, sent: Dispatch): Remembered | undefined {
    return this.#of(clientId).find(
      (earlier) => earlier.mayRepeat && earlier.sent.clientSeq === sent.clientSeq && isSame(earlier.sent, sent),
    );
  }

  /** What the client sent to get this echo or rejection; undefined when it is forgotten. */
  sentFor({ channel, action, origin }: ActionEnvelope): SentDispatch | undefined {
    if (!origin) return undefined;
    const own = this.#of(origin.clientId).filter(({ sent }) => sent.clientSeq === origin.clientSeq);
    const native = { channel, action };
    const found = own.findLast(
      (one) => one.action === action || isSame({ channel: one.channel, action: one.action }, native),
    );
    return found && { channel: found.sent.channel, action: found.sent.action, isRephrased: found.isRephrased };
  }

  /** The client is back and has seen everything up to a serverSeq: it may repeat what it has seen no echo of. */
  reconnected(clientId: string, lastSeen: number): void {
    for (const each of this.#of(clientId)) {
      if (each.acceptedAfter !== undefined && each.acceptedAfter >= lastSeen) each.mayRepeat = true;
    }
  }

  /** For a dispatch that could not be stored: it may be sent again. */
  lost(clientId: string, action: StateAction): void {
    const lost = this.#of(clientId).find((each) => each.action === action);
    if (lost) lost.acceptedAfter = undefined;
  }

  /** Called on `initialize`: the client starts over, with nothing to repeat. */
  forget(clientId: string): void {
    this.#chars -= this.#clients.get(clientId)?.chars ?? 0;
    this.#clients.delete(clientId);
  }

  #grow(client: Client, chars: number): void {
    client.chars += chars;
    this.#chars += chars;
  }

  #of(clientId: string): readonly Remembered[] {
    return this.#clients.get(clientId)?.dispatches ?? [];
  }
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
