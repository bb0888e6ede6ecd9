import { type Channel, isKind } from '../../core/channel.js';
import type { Door } from '../../core/door.js';

/** A client that disconnects is no longer the active one of any session (B-135). Sessions that have one stay in memory. */
export function releaseActiveClient(door: Door, clientId: string): void {
  for (const channel of [...door.channels.values()]) {
    if (isKind(channel, 'session') && channel.state.activeClient?.clientId === clientId) release(door, channel);
  }
}

/** The active client may have gone while the host could not say so, or while there was no host. */
export function releaseIfGone(
  door: Door,
  session: Channel<'session'>,
  isConnected: (clientId: string) => boolean,
): void {
  const { activeClient } = session.state;
  if (activeClient && !isConnected(activeClient.clientId)) release(door, session);
}

function release(door: Door, session: Channel<'session'>): void {
  door.commit(session, { type: 'session/activeClientChanged', activeClient: null });
}
