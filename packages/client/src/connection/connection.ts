import {
  CloseCodes,
  createPeer,
  type Peer,
  type PeerOptions,
  ROOT_URI,
  type RpcLimits,
  type Transport,
  TransportClosedError,
} from '@moorage/protocol';
import type { Clock } from '../clock.js';
import { ConnectError } from '../errors.js';
import type { Backoff } from './backoff.js';
import { type Handshake, handshakeFailure } from './handshake.js';
import type { Liveness } from './liveness.js';
import { type Command, type ConnectionEvent, type ConnectionState, statusOf, transition } from './machine.js';
import { openTransport } from './open-transport.js';

export interface ConnectionEvents {
  onLive(): void;
  onSuspended(): void;
  onClosed(error: Error | undefined): void;
  /** Called after the others, when the status is a new one. */
  onStatusChanged(error: Error | undefined): void;
}

export interface ConnectionOptions {
  readonly open: () => Promise<Transport> | Transport;
  readonly handshake: Handshake;
  readonly events: ConnectionEvents;
  readonly peer: Pick<PeerOptions, 'onRequest' | 'onNotification' | 'onProtocolError' | 'onInternalError'>;
  readonly backoff: Backoff;
  readonly liveness: Liveness;
  readonly clock: Clock;
  readonly handshakeTimeoutMs: number;
}

/** A snapshot or a replay is one frame. The host bounds it; refusing one would only make us ask for it again. */
export const MAX_INCOMING_CHARS = 256 * 1024 * 1024;

/**
 * Nested brackets. Counting them costs more than parsing, and frames too short to nest this deeply are not counted: so the
 * bound is high enough to spare all but large frames, and low enough for our readers to survive.
 */
const MAX_INCOMING_DEPTH = 4096;

const LIMITS: Partial<RpcLimits> = { maxFrameChars: MAX_INCOMING_CHARS, maxJsonDepth: MAX_INCOMING_DEPTH };

const TAKEN_OVER = 'another connection with the same clientId took over';

/** Does what the table of transitions says. */
export class Connection {
  readonly #options: ConnectionOptions;
  #state: ConnectionState = 'opening';
  #announced = statusOf('opening');
  /** The peer on the transport in use; callbacks of an older transport see that theirs is not this one (I-1). */
  #peer: Peer | undefined;
  #cancelWaiting: () => void = () => {};
  #error: Error | undefined;
  readonly #commands: { readonly [C in Command]: () => void } = {
    open: () => this.#open(),
    initialize: () => this.#shakeHands('initialize'),
    resume: () => this.#shakeHands('resume'),
    goLive: () => this.#goLive(),
    suspend: () => this.#options.events.onSuspended(),
    drop: () => this.#drop(),
    wait: () => this.#wait(),
    end: () => this.#end(),
  };

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get status() {
    return statusOf(this.#state);
  }

  /** Undefined while nothing but a handshake may be sent (I-2). */
  get livePeer(): Peer | undefined {
    return this.#state === 'live' ? this.#peer : undefined;
  }

  start(): void {
    this.#open();
  }

  close(): void {
    this.#fire('close');
  }

  /** Gives the transport up as if it had been lost; what is subscribed comes back by `reconnect`. */
  reset(error: Error): void {
    this.#fire('lost', error);
  }

  #fire(event: ConnectionEvent, error?: Error): void {
    const next = transition(this.#state, event);
    if (!next) return;
    this.#state = next.to;
    this.#error = error;
    for (const command of next.commands) this.#commands[command]();
    if (this.status === this.#announced) return;
    this.#announced = this.status;
    this.#options.events.onStatusChanged(this.#error);
  }

  #open(): void {
    this.#cancelWaiting = openTransport({
      open: this.#options.open,
      clock: this.#options.clock,
      onOpen: (transport) => this.#attach(transport),
      onFail: (error) => this.#fire(error.kind === 'refused' ? 'refused' : 'openFailed', error),
    });
  }

  #attach(transport: Transport): void {
    let peer: Peer | undefined;
    peer = createPeer(transport, {
      ...this.#options.peer,
      onClose: (info) => {
        if (peer !== this.#peer) return;
        const error = new TransportClosedError(info);
        if (info.code === CloseCodes.Replaced)
          this.#fire('refused', new ConnectError('refused', TAKEN_OVER, { cause: error }));
        else this.#fire('lost', error);
      },
      timers: this.#options.clock,
      limits: LIMITS,
    });
    this.#peer = peer;
    this.#fire('opened');
  }

  #shakeHands(how: keyof Handshake): void {
    const peer = this.#peer;
    if (!peer) return;
    const { handshake, handshakeTimeoutMs: timeoutMs } = this.#options;
    handshake[how]((method, params) => peer.request(method, params, { timeoutMs }))
      .then((takeOver) => {
        if (peer !== this.#peer) return;
        takeOver();
        this.#fire('accepted');
      })
      .catch((thrown: unknown) => {
        const { event, error } = handshakeFailure(how, thrown);
        if (peer === this.#peer) this.#fire(event, error);
      });
  }

  #goLive(): void {
    const { backoff, liveness, clock, events } = this.#options;
    const peer = this.#peer;
    if (!peer) return;
    backoff.live(clock.now());
    const ping = () => peer.request('ping', { channel: ROOT_URI });
    liveness.start(ping, () => this.#fire('lost', new Error('the host does not answer')));
    events.onLive();
  }

  #drop(): void {
    const peer = this.#peer;
    this.#peer = undefined;
    this.#options.liveness.stop();
    peer?.close(CloseCodes.Normal);
  }

  #wait(): void {
    const { backoff, clock } = this.#options;
    const error = this.#error;
    const delayMs = backoff.next(clock.now());
    if (delayMs === undefined) {
      this.#fire('exhausted', error);
      return;
    }
    const timer = clock.setTimeout(() => this.#fire('due', error), delayMs);
    this.#cancelWaiting = () => clock.clearTimeout(timer);
  }

  #end(): void {
    this.#cancelWaiting();
    this.#options.events.onClosed(this.#error);
  }
}
