import { CloseCodes, type CloseInfo } from '@moorage/protocol';
import { closeInfo } from '@moorage/protocol/internal';
import type { Bus } from '../../ports/bus.js';
import type { Timers } from '../shared/transport/wire-transport.js';
import { type BusTransportLimits, PACKET_BYTES } from './limits.js';
import { closePacket, dataPacket, type Packet, readPacket, takenPacket } from './packets.js';

type DataOrClose = Extract<Packet, { kind: 'data' | 'close' }>;

export interface PipeOptions {
  readonly bus: Bus;
  /** The subject that the other end listens to. */
  readonly to: string;
  readonly limits: BusTransportLimits;
  readonly timers: Timers;
  readonly onBytes: (bytes: Uint8Array) => void;
  /** Called once, when either side has closed or the connection broke. */
  readonly onEnd: (info: CloseInfo) => void;
}

/**
 * One end of a stream of bytes over a bus. A bus may lose messages, so packets are numbered, and a gap ends the stream: its
 * clients connect again and are brought up to date, as after any other break. Neither side sends more than the other takes.
 */
export class BusPipe {
  readonly #options: PipeOptions;
  /** Bytes to send, and what to call when they were. */
  readonly #queue: { bytes: Uint8Array; written: () => void }[] = [];
  #queued = 0;
  #sentPackets = 0;
  #sent = 0;
  #takenByOther = 0;
  #receivedPackets = 0;
  #taken = 0;
  #saidTaken = 0;
  /** Set while the reader does not take anything. */
  #paused = false;
  readonly #held: DataOrClose[] = [];
  #closing: CloseInfo | undefined;
  #ended = false;
  #lastSign = 0;
  #beats = 0;
  #heartbeat: unknown;
  #grace: unknown;

  constructor(options: PipeOptions) {
    this.#options = options;
    this.#beat();
  }

  get writable(): boolean {
    return !this.#ended && this.#closing === undefined;
  }

  get writableLength(): number {
    return this.#queued;
  }

  write(bytes: Uint8Array, written: () => void): boolean {
    if (!this.writable) return false;
    this.#queue.push({ bytes, written });
    this.#queued += bytes.length;
    this.#pump();
    return this.#queued === 0;
  }

  /** Closes after everything written so far. */
  end(code: number | undefined, reason: string | undefined): void {
    if (!this.writable) return;
    this.#closing = closeInfo(code, reason);
    this.#grace = this.#options.timers.setTimeout(
      () => this.endNow(this.#closing ?? {}),
      this.#options.limits.closeGraceMs,
    );
    this.#pump();
  }

  /** Ends at once. What was not sent is dropped; the other end is told, if it can be. */
  endNow(info: CloseInfo): void {
    if (this.#ended) return;
    this.#publish(closePacket(info.code, info.reason ?? ''));
    this.#finish(info);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    for (let next = this.#held.shift(); next; next = this.#paused ? undefined : this.#held.shift()) this.#take(next);
  }

  /** For each message on the subject that this end listens to. */
  receive(body: Uint8Array): void {
    if (this.#ended) return;
    this.#lastSign = this.#beats;
    const packet = readPacket(body);
    if (!packet) {
      this.endNow({ code: CloseCodes.ProtocolError, reason: 'not a packet' });
    } else if (packet.kind === 'taken') {
      if (packet.total > this.#takenByOther && packet.total <= this.#sent) this.#takenByOther = packet.total;
      this.#pump();
    } else if (packet.kind === 'data' && packet.number !== this.#receivedPackets) {
      this.endNow({ code: CloseCodes.TryAgainLater, reason: 'a message between the machines was lost' });
    } else {
      if (packet.kind === 'data') this.#receivedPackets = (this.#receivedPackets + 1) >>> 0;
      if (this.#paused) this.#held.push(packet);
      else this.#take(packet);
    }
  }

  #take(packet: DataOrClose): void {
    if (this.#ended) return;
    if (packet.kind === 'close') {
      this.#finish(closeInfo(packet.code, packet.reason === '' ? undefined : packet.reason));
      return;
    }
    this.#taken += packet.bytes.length;
    if (this.#taken - this.#saidTaken >= this.#options.limits.windowBytes / 4) this.#sayTaken();
    if (this.#closing === undefined) this.#options.onBytes(packet.bytes);
  }

  #pump(): void {
    if (this.#ended) return;
    const written: (() => void)[] = [];
    let room = this.#options.limits.windowBytes - (this.#sent - this.#takenByOther);
    for (let first = this.#queue[0]; room > 0 && first; first = this.#queue[0]) {
      const bytes = first.bytes.subarray(0, Math.min(PACKET_BYTES, room));
      this.#publish(dataPacket(this.#sentPackets, bytes));
      this.#sentPackets = (this.#sentPackets + 1) >>> 0;
      this.#sent += bytes.length;
      this.#queued -= bytes.length;
      room -= bytes.length;
      if (bytes.length === first.bytes.length) {
        this.#queue.shift();
        written.push(first.written);
      } else {
        first.bytes = first.bytes.subarray(bytes.length);
      }
    }
    for (const call of written) queueMicrotask(call); // as a stream does: never before `write` has returned
    if (this.#closing && this.#queue.length === 0) this.endNow(this.#closing);
  }

  #sayTaken(): void {
    this.#saidTaken = this.#taken;
    this.#publish(takenPacket(this.#taken));
  }

  #publish(packet: Uint8Array): void {
    this.#options.bus.publish(this.#options.to, packet);
  }

  #beat(): void {
    const { timers, limits } = this.#options;
    this.#heartbeat = timers.setTimeout(() => {
      this.#beats++;
      const isSilent = (this.#beats - this.#lastSign) * limits.heartbeatMs > limits.silenceMs;
      if (isSilent) this.endNow({ code: CloseCodes.Abnormal, reason: 'the other machine is silent' });
      else {
        this.#sayTaken();
        this.#beat();
      }
    }, limits.heartbeatMs);
  }

  #finish(info: CloseInfo): void {
    this.#ended = true;
    this.#queue.length = 0;
    this.#queued = 0;
    this.#held.length = 0;
    this.#options.timers.clearTimeout(this.#heartbeat);
    this.#options.timers.clearTimeout(this.#grace);
    this.#options.onEnd(info);
  }
}
