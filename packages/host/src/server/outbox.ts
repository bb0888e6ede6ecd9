import type { ActionEnvelope } from '@moorage/protocol';
import type { Change } from '@moorage/protocol/versions';
import type { Delivery } from '../core/delivery.js';
import { mergeEnvelopes } from '../core/merge-envelopes.js';
import { type ClientTransport, FrameBatch } from '../ports/transport.js';
import { MAX_BACKLOG_BYTES, MAX_QUEUED_ANSWER_CHARS, MAX_QUEUED_CHARS } from './limits.js';

type Queued = { readonly frame: string } | { readonly envelope: ActionEnvelope; readonly change?: Change | undefined };

/** Encodes an envelope in the client's version. */
export type EncodeEnvelope = (envelope: ActionEnvelope, change: Change | undefined) => string;

/**
 * Sends everything for one client, in order. Frames are written at once while the network takes them. Otherwise they
 * queue, and adjacent appends to the same part are merged. Past a bound the queue is dropped and `onOverflow` is called,
 * which must close the connection: nothing may be sent after the gap.
 */
export class Outbox {
  readonly #transport: ClientTransport;
  readonly #encode: EncodeEnvelope;
  readonly #onOverflow: () => void;
  #queue: Queued[] = [];
  #queuedChars = 0;
  #answerChars = 0;
  #onDrained: (() => void)[] = [];

  constructor(transport: ClientTransport, encode: EncodeEnvelope, onOverflow: () => void) {
    this.#transport = transport;
    this.#encode = encode;
    this.#onOverflow = onOverflow;
    transport.onDrain(() => this.#drain());
  }

  /** Sends an answer, or a request or notification to this client alone. */
  send(frame: string): void {
    if (this.isFlowing) {
      this.#transport.send(frame);
      return;
    }
    this.#queue.push({ frame });
    this.#answerChars += frame.length;
    if (this.#answerChars > MAX_QUEUED_ANSWER_CHARS) this.#overflow();
  }

  /** Resolves when frames are written at once again; immediately if they are. Stays pending if the connection closes. */
  drained(): Promise<void> {
    return this.isFlowing ? Promise.resolve() : new Promise((resolve) => this.#onDrained.push(resolve));
  }

  deliver(delivery: Delivery): void {
    if (this.isFlowing) {
      this.#transport.sendBatch(delivery.batch);
      return;
    }
    for (const { frame, envelope, change } of delivery.messages) {
      this.#enqueue(envelope ? { envelope, change } : { frame }, frame.length);
    }
  }

  /** UTF-16 units in the queue. */
  get queuedChars(): number {
    return this.#queuedChars + this.#answerChars;
  }

  /** Whether a frame sent now would be written at once. */
  get isFlowing(): boolean {
    return this.#queue.length === 0 && this.#transport.backlog <= MAX_BACKLOG_BYTES;
  }

  #enqueue(item: Queued, chars: number): void {
    const last = this.#queue.at(-1);
    const merged =
      'envelope' in item && last && 'envelope' in last ? mergeEnvelopes(last.envelope, item.envelope) : undefined;
    if (merged) this.#queue[this.#queue.length - 1] = { ...item, envelope: merged.envelope };
    else this.#queue.push(item);
    this.#queuedChars += merged?.addedChars ?? chars;
    if (this.#queuedChars > MAX_QUEUED_CHARS) this.#overflow();
  }

  #overflow(): void {
    this.#take();
    this.#onOverflow();
  }

  #drain(): void {
    const queue = this.#take();
    if (queue.length > 0) this.#transport.sendBatch(new FrameBatch(queue.map((item) => this.#frameOf(item))));
    const waiting = this.#onDrained;
    this.#onDrained = [];
    for (const resolve of waiting) resolve();
  }

  #take(): Queued[] {
    const queue = this.#queue;
    this.#queue = [];
    this.#queuedChars = 0;
    this.#answerChars = 0;
    return queue;
  }

  #frameOf(item: Queued): string {
    return 'frame' in item ? item.frame : this.#encode(item.envelope, item.change);
  }
}
