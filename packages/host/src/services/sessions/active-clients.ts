import { type Channel, isKind } from '../../core/channel.js';
import type { CommittingDoor } from '../../core/door-parts.js';

/**
 * A client that disconnects stops being an active client of every session (B-135). Sessions with an active client are
 * always in memory.
 */
export function releaseActiveClient(door: CommittingDoor, clientId: string, isConnected: IsConnected): void {
  for (const channel of [...door.channels.values()]) {
    if (isKind(channel, 'session')) release(door, channel, (active) => active === clientId, isConnected);
  }
}

/** Releases active clients that disconnected while the host could not store that, or was not running. */
export function releaseIfGone(door: CommittingDoor, session: Channel<'session'>, isConnected: IsConnected): void {
  release(door, session, (clientId) => !isConnected(clientId), isConnected);
}

type IsConnected = (clientId: string) => boolean;

function release(
  door: CommittingDoor,
  session: Channel<'session'>,
  isGone: (clientId: string) => boolean,
  isConnected: IsConnected,
): void {
  const again = (same: Channel<'session'>) => releaseIfGone(door, same, isConnected); // it may be back by then
  for (const { clientId } of session.state.activeClients) {
    if (isGone(clientId)) door.commit(session, { type: 'session/activeClientRemoved', clientId }, { again });
  }
}
