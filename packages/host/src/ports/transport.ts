import type { Transport } from '@moorage/protocol';
import type { Grant } from './people.js';

/**
 * A connection to one client. All guarantees of the protocol's `Transport` hold for it; in addition it sends what was passed on
 * before it closes, accepts any close code and reason, leaving out what its carrier cannot transmit, writes batches and reports its
 * backlog. Messages may have any length and any text that is JSON. If a listener throws, it must close only its own connection, with code 1011.
 */
export interface ClientTransport extends Transport {
  /** Sends all frames of a batch, in order with those of `send`. Never throws; does nothing after the close. */
  sendBatch(batch: FrameBatch): void;
  /** Bytes passed to `send` or `sendBatch` that the network has not taken yet; 0 after the close. */
  readonly backlog: number;
  /** The listener is called whenever the backlog becomes empty after it was not, however small; never after the close. */
  onDrain(listener: () => void): void;
}

/** Frames that are sent to many clients. Each kind of transport encodes them once and keeps the bytes in the batch. */
export class FrameBatch {
  readonly frames: readonly string[];
  readonly #encodings = new Map<unknown, Uint8Array>();

  constructor(frames: readonly string[]) {
    this.frames = frames;
  }

  /** The bytes for one kind of transport, encoded on first use. `carrier` is any constant that identifies the kind. */
  encoded(carrier: unknown, encode: (frames: readonly string[]) => Uint8Array): Uint8Array {
    const known = this.#encodings.get(carrier);
    if (known) return known;
    const bytes = encode(this.frames);
    this.#encodings.set(carrier, bytes);
    return bytes;
  }
}

/**
 * A way to all clients of one gateway, on which what many of them get alike travels once. Groups and clients are numbers there.
 * It keeps the order of all that is said on it.
 */
export interface SharedWay {
  /** The number of a new group. */
  newGroup(): number;
  /** From now on the client gets what is sent to the group. */
  join(group: number, client: number): void;
  /** From now on it does not. */
  leave(group: number, client: number): void;
  /** Sends a message to everyone in the group. */
  send(group: number, frame: string): void;
}

/** A client's place in a shared way. */
export interface SharedPlace {
  /** The way. */
  readonly way: SharedWay;
  /** The number of the client there. */
  readonly client: number;
  /** To be called for every message that the client gets by itself: its place among those to groups is here. */
  mark(): void;
  /** True while messages queue up for the client where the way ends. */
  readonly isBehind: boolean;
  /** Resolves once it is no longer behind, at once if it is not. Stays pending when the connection closes first. */
  drained(): Promise<void>;
}

/** Accepts connections of clients. It must check a client's credential before it hands the connection over. */
export interface Listener {
  /** Where clients reach it, as shown to people and in the ready line. */
  readonly address: string;
  /** Stops accepting and closes all connections; resolves when none is left. */
  close(): Promise<void>;
}

/** Why a listener cannot start. The message is one sentence for the person who chose the address. */
export class ListenError extends Error {
  readonly kind: 'in-use' | 'not-permitted' | 'bad-options' | 'failed';

  constructor(kind: ListenError['kind'], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'ListenError';
    this.kind = kind;
  }
}

/**
 * A new connection, before its handshake. The receiver must attach its listeners synchronously: a message that arrives
 * while none is attached is lost.
 */
export interface Incoming {
  /** The connection. */
  readonly transport: ClientTransport;
  /**
   * A stable name of the credential that was presented, never the credential itself. A client id belongs to the first
   * credential that used it, permanently.
   */
  readonly credential: string;
  /**
   * What the credential allows, as said by whom the host trusts with that: a gateway of its fleet. Without it, the host itself
   * knows what it allows.
   */
  readonly vouched?: Grant | undefined;
  /** The name of this machine, in lower case, that the client used to reach it; undefined where that is not known. */
  readonly reachedAs?: string | undefined;
  /** Set for a client of a gateway that takes what several clients get alike once for all of them. */
  readonly shared?: SharedPlace | undefined;
  /** The path in the address that the client used, such as `/`; undefined where addresses have none. */
  readonly path?: string | undefined;
}
