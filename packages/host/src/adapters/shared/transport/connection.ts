import { CloseCodes, type CloseInfo } from '@moorage/protocol';
import type { ClientTransport, Clock, FrameBatch, Log } from '../../../ports/index.js';
import { faultFields } from './fault.js';

export type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>;

/** The part of a connection that differs between WebSockets, sockets and standard streams. */
export interface Wire {
  /** Where the bytes go: a socket or standard output. */
  readonly output: ByteSink;
  /** False once either side has begun to close; nothing may be written after that. */
  readonly writable: boolean;
  /** Encodes frames. Must be the same function for all connections of a kind: a batch caches its encodings by it. */
  readonly encode: (frames: readonly string[]) => Uint8Array;
  /** Closes the connection after everything written so far. Never throws. */
  end(code: number | undefined, reason: string | undefined): void;
}

/** The part of a Node stream that a connection writes to. */
interface ByteSink {
  write(bytes: Uint8Array, written: () => void): boolean;
  readonly writableLength: number;
}

/** The listeners, the closing and the backlog of one client's connection, whatever carries it. */
export class Connection implements ClientTransport {
  readonly #wire: Wire;
  readonly #log: Log;
  #closedWith: CloseInfo | undefined;
  #backlogged = false;
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
    return this.closed ? 0 : this.#wire.output.writableLength;
  }

  send(text: string): void {
    if (this.#writable) this.#write(this.#wire.encode([text]));
  }

  sendBatch(batch: FrameBatch): void {
    if (!this.#writable || batch.frames.length === 0) return;
    this.#write(batch.encoded(this.#wire.encode, this.#wire.encode));
  }

  close(code?: number, reason?: string): void {
    if (this.closed) return;
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
    if (this.#writable) this.#write(bytes);
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
    if (!this.closed) this.#call(this.#drainListeners, undefined);
  };

  // Listeners run inside socket events, where an exception would end the process, for all clients.
  #call<T>(listeners: readonly ((value: T) => void)[], value: T): void {
    for (const listener of listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#log.write('error', 'a listener of a connection failed', faultFields(error));
        this.close(CloseCodes.InternalError, 'internal error');
      }
    }
  }
}
