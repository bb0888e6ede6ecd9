import type { ReducerEnv } from '@moorage/protocol';
import type { DeliveryFailure } from '../errors.js';
import type { Flushable } from './batcher.js';

/** What a channel needs from the client that it belongs to. */
export interface ChannelContext {
  readonly clientId: string;
  readonly env: ReducerEnv;
  /** Increasing over all channels; with the client id it names a dispatch (B-63). */
  nextClientSeq(): number;
  /** Sends the frame of a dispatch now, or as soon as there is a connection. */
  dispatch(frame: string, outcome: DispatchOutcome): void;
  /** Calls `flush` once the messages that are already waiting have been handled. */
  schedule(channel: Flushable): void;
  /** More envelopes wait for a snapshot than can be kept. */
  overflow(uri: string): void;
}

/** Exactly one of the two is called, once. */
interface DispatchOutcome {
  /** Called right before sending; returns false when the action was given up meanwhile and must not be sent. */
  onSend(): boolean;
  onFail(why: DeliveryFailure): void;
}
