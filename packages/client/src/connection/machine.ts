import { TRANSITIONS } from './transitions.js';

/**
 * The life of a connection. What must hold in it (each guarded by a test in test/connection/invariants.test.ts or
 * test/convergence.test.ts):
 *
 * I-1  At most one transport is in use. What an older one says, opens or closes has no effect.
 * I-2  Before the host accepted the handshake nothing is sent on a transport but `initialize`, `reconnect` and `ping`.
 * I-3  Every envelope of a listed subscription up to `lastSeenServerSeq` is in that mirror: it is raised only by
 *      accepted envelopes, which one connection delivers in order, and a handshake sets it to the lowest number that
 *      its answer names. A `subscribe` snapshot is newer than what is still in flight for other channels, so it does
 *      not raise it. Too low a number only makes the host repeat itself; too high a number would skip.
 * I-4  A mirror's confirmed state is one snapshot and every later accepted envelope of its channel, in order, once.
 * I-5  Every request and every dispatch settles exactly once, also when the client is closed.
 * I-6  A dispatch is put on the wire at most once.
 * I-7  `connect` settles exactly once. After `closed` no timer runs and no transport is opened.
 * I-8  The state that a handshake brings is taken over in the same turn in which the connection goes live.
 */
export type ConnectionState =
  | 'opening'
  | 'initializing'
  | 'live'
  // A connection that was live is resumed by `reconnect`.
  | 'waiting'
  | 'reopening'
  | 'resuming'
  // Afresh: the host would not resume, so the client has to initialize again.
  | 'restarting'
  | 'waitingAfresh'
  | 'reopeningAfresh'
  | 'closed';

/** What can happen to a connection. */
export type ConnectionEvent =
  | 'opened'
  | 'openFailed'
  /** The host will not have us; trying again is no use. */
  | 'refused'
  | 'accepted'
  /** The host answered the handshake with an error, or with something unreadable. */
  | 'declined'
  | 'lost'
  | 'due'
  /** No further attempt is allowed. */
  | 'exhausted'
  | 'close';

/** What is done about it. */
export type Command = 'open' | 'initialize' | 'resume' | 'goLive' | 'suspend' | 'drop' | 'wait' | 'end';

export interface Transition {
  readonly to: ConnectionState;
  /** In order, after the state has changed. */
  readonly commands: readonly Command[];
}

/** What the user of a client sees of it. */
export type ConnectionStatus = 'connecting' | 'live' | 'reconnecting' | 'closed';

/** What an event leads to in a state; undefined where it means nothing. */
export function transition(state: ConnectionState, event: ConnectionEvent): Transition | undefined {
  return TRANSITIONS[state][event];
}

export function statusOf(state: ConnectionState): ConnectionStatus {
  if (state === 'opening' || state === 'initializing') return 'connecting';
  return state === 'live' || state === 'closed' ? state : 'reconnecting';
}
