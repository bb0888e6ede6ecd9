import { Delivery, type OutgoingMessage } from '../../core/delivery.js';

/** What one client gets of a delivery to many, in its own names. The envelopes stay: what queues is encoded again. */
export function respelledDelivery(delivery: Delivery, respell: (text: string) => string): Delivery {
  const messages = delivery.messages.map((message): OutgoingMessage => {
    const frame = respell(message.frame);
    return frame === message.frame ? message : { ...message, frame };
  });
  return messages.some((message, index) => message !== delivery.messages[index]) ? new Delivery(messages) : delivery;
}
