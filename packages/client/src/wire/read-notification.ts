import { isObject, notificationRow, type ServerNotificationMap } from '@moorage/protocol';
import { read } from './read.js';
import { readEnvelope } from './read-envelope.js';

export type ServerNotification = keyof ServerNotificationMap;
export type NotificationParams<M extends ServerNotification> = ServerNotificationMap[M]['params'];

export function isServerNotification(method: string): method is ServerNotification {
  return notificationRow(method)?.direction === 'hostToClient';
}

/** The params of a notification from the host; throws a ProtocolError when they are not what the method asks for. */
export function readNotification<M extends ServerNotification>(method: M, params: unknown): NotificationParams<M> {
  if (method === 'action') return readEnvelope(params) as NotificationParams<M>;
  const row = notificationRow(method);
  if (!row) return params as NotificationParams<M>;
  return read(`${method} notification`, row.params, withClearedChanges(params)) as NotificationParams<M>;
}

/** A `null` in a change list means that the member is gone (OQ-25); in memory that is `undefined`. */
function withClearedChanges(params: unknown): unknown {
  if (!isObject(params) || !isObject(params.changes)) return params;
  const changes = Object.entries(params.changes).map(([name, member]) => [name, member ?? undefined]);
  return { ...params, changes: Object.fromEntries(changes) };
}
