import type { ActionEnvelope, ActionOrigin, StateAction, URI } from '@moorage/protocol';
import {
  actionFrame,
  Delivery,
  deliverTick,
  encodeEnvelope,
  type OutgoingMessage,
  type Subscriptions,
} from './delivery.js';
import type { Sequence } from './sequence.js';
import type { Tick } from './tick.js';

/** The envelope that tells the sender of an action that it was rejected. It uses a serverSeq of its own (D-8, OQ-19). */
export function rejection(
  sequence: Sequence,
  rejected: { readonly channel: URI; readonly action: StateAction; readonly origin: ActionOrigin },
  rejectionReason: string,
): OutgoingMessage {
  const { channel, action, origin } = rejected;
  const envelope: ActionEnvelope = { channel, action, serverSeq: sequence.next(), origin, rejectionReason };
  return { frame: actionFrame(encodeEnvelope(envelope)), envelope };
}

/**
 * Informs the senders of a tick that could not be stored: rejections in it still hold and are delivered, and every
 * accepted action is rejected after all. Only while there are numbers whose reservation is already stored: a number beyond
 * those might be used again after a restart.
 */
export function rejectUnstored(tick: Tick, sequence: Sequence, subscriptions: Subscriptions): void {
  const rejections = tick.messages.filter(
    ({ to, envelope }) => typeof to !== 'string' && envelope && sequence.isReserved(envelope.serverSeq),
  );
  deliverTick(rejections, subscriptions);
  for (const { channel, action, origin, sender } of tick.committed) {
    if (!origin || !sender || sequence.reserve <= 0) continue;
    sender.deliver(new Delivery([rejection(sequence, { channel: channel.uri, action, origin }, NOT_STORED)]));
  }
}

const NOT_STORED = 'the host could not store this; nothing was changed';
