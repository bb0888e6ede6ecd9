import type { ActionEnvelope, ServerNotificationMap } from '@moorage/protocol';
import type { OutgoingMessage } from './subscriber.js';

/** The text of an envelope as it is stored and sent. Undefined members are left out. */
export function encodeEnvelope(envelope: ActionEnvelope): string {
  return JSON.stringify(envelope);
}

export function actionFrame(envelope: string): string {
  return `{"jsonrpc":"2.0","method":"action","params":${envelope}}`;
}

/** The message for a notification other than `action`. */
export function noticeMessage<M extends keyof ServerNotificationMap>(
  method: M,
  params: ServerNotificationMap[M]['params'],
): OutgoingMessage {
  return { frame: JSON.stringify({ jsonrpc: '2.0', method, params }), notice: { method, params } };
}
