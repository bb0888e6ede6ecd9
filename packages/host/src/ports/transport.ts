import type { Transport } from '@ahpd/protocol';

/** A connection to one client. On top of the protocol's transport it writes many frames at once and tells its backlog. */
export interface ClientTransport extends Transport {
  /** Writes all frames of a batch, in order, as cheaply as the carrier allows. */
  sendBatch(batch: FrameBatch): void;
  /** Bytes that were given to `send` or `sendBatch` and that the network has not taken yet. */
  readonly backlog: number;
  /** Called whenever the backlog has become empty after it was not; not any more once the connection has closed. */
  onDrain(listener: () => void): void;
}

/**
 * Frames that go to many clients. A carrier turns them into bytes once, whatever the number of its clients: it keeps
 * its encoding in the batch.
 */
export class FrameBatch {
  readonly frames: readonly string[];
  readonly #encodings = new Map<unknown, Uint8Array>();

  constructor(frames: readonly string[]) {
    this.frames = frames;
  }

  /** The bytes of this batch for a carrier, encoded on first use. */
  encoded(carrier: unknown, encode: (frames: readonly string[]) => Uint8Array): Uint8Array {
    const known = this.#encodings.get(carrier);
    if (known) return known;
    const bytes = encode(this.frames);
    this.#encodings.set(carrier, bytes);
    return bytes;
  }
}

/** Somewhere clients come from. Every connection that it accepts has proven its credential already. */
export interface Listener {
  /** Where clients reach it, for a person and for the ready line. */
  readonly address: string;
  /** Stops accepting and closes what is open; resolves when nothing is left. */
  close(): Promise<void>;
}

/** Why nobody can be listened for. The message is one sentence for the person who chose the address. */
export class ListenError extends Error {
  readonly kind: 'in-use' | 'not-permitted' | 'bad-options' | 'failed';

  constructor(kind: ListenError['kind'], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'ListenError';
    this.kind = kind;
  }
}

/**
 * A client that has connected, before it said who it is. Its listeners must be attached in the turn it is handed over:
 * what arrives earlier is lost.
 */
export interface Incoming {
  readonly transport: ClientTransport;
  /** Names the credential that let it in, never the credential itself: it binds client ids to their owners. */
  readonly credential: string;
}
