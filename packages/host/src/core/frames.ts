import type { ActionEnvelope, ServerNotificationMap } from '@ahpd/protocol';
import type { OutgoingMessage } from './subscriber.js';

/** The text of an envelope, as it is stored and sent. Members that are undefined are absent on the wire. */
export function encodeEnvelope(envelope: ActionEnvelope): string {
  return JSON.stringify(envelope);
}

export function actionFrame(envelope: string): string {
  return `{"jsonrpc":"2.0","method":"action","params":${envelope}}`;
}

/** A notification that is not an action. */
export function noticeMessage<M extends keyof ServerNotificationMap>(
  method: M,
  params: ServerNotificationMap[M]['params'],
): OutgoingMessage {
  return { frame: JSON.stringify({ jsonrpc: '2.0', method, params }), notice: { method, params } };
}
