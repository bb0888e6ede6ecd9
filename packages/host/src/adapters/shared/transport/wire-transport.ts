import { CloseCodes, type CloseInfo } from '@moorage/protocol';
import type { ClientTransport, Clock, FrameBatch, Log } from '../../../ports/index.js';
import { faultFields } from './fault.js';
import { LONG_CHARS, LongText, type PieceEncoding } from './long-text.js';

export type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>;

/** The part of a connection that differs between WebSockets, sockets and standard streams. */
export interface Wire {
  /** Where the bytes go: a socket or standard output. */
  readonly output: ByteSink;
  /** False once either side has begun to close; nothing may be written after that. */
  readonly writable: boolean;
  /** Encodes frames. Must be the same function for all connections of a kind: a batch caches its encodings by it. */
  readonly encode: (frames: readonly string[]) => Uint8Array;
  /** How a frame is written piece by piece. */
  readonly inPieces: (frame: string) => PieceEncoding;
  /** Closes the connection after everything written so far. Never throws. */
  end(code: number | undefined, reason: string | undefined): void;
}

/** The part of a Node stream that a connection writes to. */
interface ByteSink {
  write(bytes: Uint8Array, written: () => void): boolean;
  readonly writableLength: number;
}

/** The listeners, the closing and the backlog of one client's connection, whatever carries it. */
export class WireTransport implements ClientTransport {
  readonly #wire: Wire;
  readonly #log: Log;
  #closedWith: CloseInfo | undefined;
  #backlogged = false;
  /** What is written once the long text at its front has been; empty while there is none. */
  readonly #held: (LongText | Uint8Array)[] = [];
  #continues = false;
  readonly #messageListeners: ((text: string) => void)[] = [];
  readonly #closeListeners: ((info: CloseInfo) => void)[] = [];
  readonly #drainListeners: (() => void)[] = [];

  constructor(wire: Wire, log: Log) {
    this.#wire = wire;
    this.#log = log;
  }

  get closed(): boolean {
    return this.#closedWith !== undefined;
  }

  get backlog(): number {
    if (this.closed) return 0;
    return this.#held.reduce((sum, { length }) => sum + length, this.#wire.output.writableLength);
  }

  send(text: string): void {
    if (!this.#writable) return;
    if (isLong(text)) this.#sendLong(text);
    else this.#sendBytes(this.#wire.encode([text]));
  }

  sendBatch(batch: FrameBatch): void {
    if (!this.#writable || batch.frames.length === 0) return;
    if (batch.frames.some(isLong)) for (const frame of batch.frames) this.send(frame);
    else this.#sendBytes(batch.encoded(this.#wire.encode, this.#wire.encode));
  }

  close(code?: number, reason?: string): void {
    if (this.closed) return;
    if (this.#writable) this.#writeHeldAtOnce();
    this.ended({ ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) });
    this.#wire.end(code, reason);
  }

  onMessage(listener: (text: string) => void): void {
    this.#messageListeners.push(listener);
  }

  onClose(listener: (info: CloseInfo) => void): void {
    const info = this.#closedWith;
    if (info) queueMicrotask(() => this.#call([listener], info));
    else this.#closeListeners.push(listener);
  }

  onDrain(listener: () => void): void {
    this.#drainListeners.push(listener);
  }

  /** To be called for each complete message that arrives. */
  received(text: string): void {
    if (!this.closed) this.#call(this.#messageListeners, text);
  }

  /** To be called when the connection has ended. Only the first call counts. */
  ended(info: CloseInfo): void {
    if (this.closed) return;
    this.#closedWith = info;
    // Deferred, so that a caller of close() does not have its own close listener run before close() returns.
    queueMicrotask(() => this.#call(this.#closeListeners, info));
  }

  /** Writes bytes that are already encoded. All bytes but the last close must go this way, or a drain goes unnoticed. */
  writeBytes(bytes: Uint8Array): void {
    if (this.#writable) this.#sendBytes(bytes);
  }

  #sendBytes(bytes: Uint8Array): void {
    if (this.#held.length > 0) this.#held.push(bytes);
    else this.#write(bytes);
  }

  #sendLong(text: string): void {
    this.#held.push(new LongText(text, this.#wire.inPieces));
    if (this.#held.length === 1 && !this.#backlogged) this.#continueSoon();
  }

  /** Others get their turn first: making the text, or its last piece, has taken long enough. */
  #continueSoon(): void {
    if (this.#continues) return;
    this.#continues = true;
    setImmediate(() => {
      this.#continues = false;
      if (this.#writable) this.#writeHeld();
    });
  }

  /** Writes a piece of the long text, and what waits up to the next one. More follows when the network has taken it. */
  #writeHeld(): void {
    this.#backlogged = true;
    let first = this.#held[0];
    if (first instanceof LongText) {
      this.#write(first.next());
      if (first.length === 0) this.#held.shift();
    }
    for (first = this.#held[0]; first && !(first instanceof LongText); first = this.#held[0]) {
      this.#write(first);
      this.#held.shift();
    }
  }

  #writeHeldAtOnce(): void {
    for (const item of this.#held.splice(0)) {
      if (!(item instanceof LongText)) this.#write(item);
      else while (item.length > 0) this.#write(item.next());
    }
  }

  #write(bytes: Uint8Array): void {
    const { output } = this.#wire;
    output.write(bytes, this.#written);
    if (output.writableLength > 0) this.#backlogged = true;
  }

  get #writable(): boolean {
    return !this.closed && this.#wire.writable;
  }

  // A stream emits 'drain' only after it was filled to its high-water mark; this also notices that a smaller backlog is gone.
  // All writes share one function, so that Node can call it once for several writes.
  readonly #written = (): void => {
    if (!this.#backlogged || this.#wire.output.writableLength > 0) return;
    this.#backlogged = false;
    if (this.#held.length > 0) this.#continueSoon();
    else if (!this.closed) this.#call(this.#drainListeners, undefined);
  };

  // Listeners run inside socket events, where an exception would end the process, for all clients.
  #call<T>(listeners: readonly ((value: T) => void)[], value: T): void {
    for (const listener of listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#log.write(
          'error',
          'connection.handler-failed',
          'handling a message failed; the connection is closed',
          faultFields(error),
        );
        this.close(CloseCodes.InternalError, 'internal error');
      }
    }
  }
}

function isLong(frame: string): boolean {
  return frame.length > LONG_CHARS;
}
