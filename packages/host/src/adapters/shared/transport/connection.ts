import { CloseCodes, type CloseInfo } from '@ahpd/protocol';
import type { ClientTransport, Clock, FrameBatch, Log } from '../../../ports/index.js';
import { faultFields } from './fault.js';

export type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>;

/** What differs between carriers. */
export interface Wire {
  /** Where the bytes go: a socket or standard output. */
  readonly output: ByteSink;
  /** False as soon as either side has said goodbye; nothing may be written behind that. */
  readonly writable: boolean;
  /** Frames as this carrier's bytes. One function per carrier: a batch keeps its encoding under it. */
  readonly encode: (frames: readonly string[]) => Uint8Array;
  /** Says goodbye, behind everything written so far. Never throws. */
  end(code: number | undefined, reason: string | undefined): void;
}

/** The part of a Node stream that a connection writes to. */
interface ByteSink {
  write(bytes: Uint8Array, written: () => void): boolean;
  readonly writableLength: number;
}

/** The listeners, the close and the backlog of one client, the same for every carrier. */
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

  /** For the carrier: a whole message has come. */
  received(text: string): void {
    if (!this.closed) this.#call(this.#messageListeners, text);
  }

  /** For the carrier: nothing will come or go any more. The first to say so decides the reason. */
  ended(info: CloseInfo): void {
    if (this.closed) return;
    this.#closedWith = info;
    // Not in this turn: whoever calls close() must not find its own close listener run halfway through.
    queueMicrotask(() => this.#call(this.#closeListeners, info));
  }

  /** For the carrier: bytes that are encoded already. All but the goodbye go this way, else a drain goes unnoticed. */
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

  // A stream's own 'drain' comes only after it was filled to its high-water mark; this also sees a smaller backlog go.
  // It is one function for all writes, which Node then calls back together.
  readonly #written = (): void => {
    if (!this.#backlogged || this.#wire.output.writableLength > 0) return;
    this.#backlogged = false;
    if (!this.closed) this.#call(this.#drainListeners, undefined);
  };

  // Listeners run inside socket events, where an exception would end the process: every client's, for one's message.
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
