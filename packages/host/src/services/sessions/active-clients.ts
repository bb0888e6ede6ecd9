import { type Channel, isKind } from '../../core/channel.js';
import type { Door } from '../../core/door.js';

/**
 * A client that disconnects stops being the active client of every session (B-135). Sessions with an active client are
 * always in memory.
 */
export function releaseActiveClient(door: Door, clientId: string): void {
  for (const channel of [...door.channels.values()]) {
    if (isKind(channel, 'session') && channel.state.activeClient?.clientId === clientId) release(door, channel);
  }
}

/** Releases an active client that disconnected while the host could not store that, or was not running. */
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
