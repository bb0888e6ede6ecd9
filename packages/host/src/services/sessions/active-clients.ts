import { type Channel, isKind } from '../../core/channel.js';
import type { Door } from '../../core/door.js';

/** A client that disconnects is no longer the active one of any session (B-135). */
export function releaseActiveClient(door: Door, clientId: string): void {
  for (const channel of [...door.channels.values()]) {
    if (isKind(channel, 'session') && channel.state.activeClient?.clientId === clientId) release(door, channel);
  }
}

/** A session that comes back into memory may name a client that went away while nobody looked. */
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
