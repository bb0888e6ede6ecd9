import { annotationsUri, isObject } from '@moorage/protocol';
import type { ChannelTable } from './channels/channel-table.js';
import type { StatelessTable } from './channels/stateless-table.js';
import type { LastSeen } from './connection/last-seen.js';
import type { Liveness } from './connection/liveness.js';
import type { Notifications } from './notifications.js';
import { readEnvelope } from './wire/read-envelope.js';
import { isServerNotification, readNotification } from './wire/read-notification.js';

export interface Receivers {
  readonly clientId: string;
  readonly channels: ChannelTable;
  readonly stateless: StatelessTable;
  readonly notifications: Notifications;
  readonly lastSeen: LastSeen;
  readonly liveness: Liveness;
  isLive(): boolean;
  report(error: unknown): void;
}

/** Passes a notification of the host on to those it concerns. Nothing that a host sends makes it throw. */
export function receiveNotification(receivers: Receivers, method: string, params: unknown): void {
  receivers.liveness.heard();
  try {
    if (method === 'action') receiveAction(receivers, params);
    else receiveOther(receivers, method, params);
  } catch (error) {
    receivers.report(error);
    if (method === 'action') distrustChannelOf(receivers, params);
  }
}

function receiveAction({ channels, notifications, lastSeen, isLive }: Receivers, params: unknown): void {
  const envelope = readEnvelope(params);
  // Before the handshake is done it cannot count: what it follows upon is still in the host's answer (I-3).
  if (isLive()) lastSeen.saw(envelope);
  channels.receive(envelope);
  notifications.emit('action', envelope);
}

function receiveOther({ channels, stateless, notifications }: Receivers, method: string, params: unknown): void {
  if (isObject(params) && typeof params.channel === 'string') stateless.receive(params.channel, method, params);
  if (!isServerNotification(method)) return; // one that we do not know is ignored (B-338)
  if (method === 'root/sessionRemoved') {
    // Nothing is sent on the channels that this ends (OQ-17).
    const { session } = readNotification(method, params);
    channels.end(session);
    channels.end(annotationsUri(session));
  }
  notifications.emit(method, readNotification(method, params));
}

/** A mirror never skips an action, so one that cannot be read is made up for by a snapshot. */
function distrustChannelOf({ clientId, channels }: Receivers, params: unknown): void {
  if (!isObject(params) || typeof params.channel !== 'string') return; // an action of no channel changes none (B-8)
  const { origin } = params;
  const isOwn = isObject(origin) && origin.clientId === clientId;
  channels.distrust(params.channel, isOwn && typeof origin.clientSeq === 'number' ? origin.clientSeq : undefined);
}
