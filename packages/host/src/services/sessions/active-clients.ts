import { type Channel, isKind } from '../../core/channel.js';
import type { Door } from '../../core/door.js';

/**
 * A client that disconnects stops being an active client of every session (B-135). Sessions with an active client are
 * always in memory.
 */
export function releaseActiveClient(door: Door, clientId: string): void {
  for (const channel of [...door.channels.values()]) {
    if (isKind(channel, 'session')) release(door, channel, (active) => active === clientId);
  }
}

/** Releases active clients that disconnected while the host could not store that, or was not running. */
export function releaseIfGone(
  door: Door,
  session: Channel<'session'>,
  isConnected: (clientId: string) => boolean,
): void {
  release(door, session, (clientId) => !isConnected(clientId));
}

function release(door: Door, session: Channel<'session'>, isGone: (clientId: string) => boolean): void {
  for (const { clientId } of session.state.activeClients) {
    if (isGone(clientId)) door.commit(session, { type: 'session/activeClientRemoved', clientId });
  }
}
