import type { ActionEnvelope, ActionOrigin, StateAction, URI } from '@ahpd/protocol';
import { deliverTick } from './delivery.js';
import { actionFrame, encodeEnvelope } from './frames.js';
import type { Sequence } from './sequence.js';
import { Delivery, type OutgoingMessage } from './subscriber.js';
import type { Subscriptions } from './subscriptions.js';
import type { Tick } from './tick.js';

/** Tells the sender of an action, and nobody else, that nothing came of it. It takes a number of its own (D-8, OQ-19). */
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
 * Of a tick that could not be stored nobody was told. The rejections in it hold all the same, and every other sender
 * learns that nothing happened; as far as there are numbers that no later host can use again.
 */
export function tellSendersOfLoss(tick: Tick, sequence: Sequence, subscriptions: Subscriptions): void {
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
