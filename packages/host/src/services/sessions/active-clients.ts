import { type Channel, isKind } from '../../core/channel.js';
import type { Door } from '../../core/door.js';

/** A client that disconnects is no longer the active one of any session (B-135). Sessions that have one stay in memory. */
export function releaseActiveClient(door: Door, clientId: string): void {
  for (const channel of [...door.channels.values()]) {
    if (isKind(channel, 'session') && channel.state.activeClient?.clientId === clientId) release(door, channel);
  }
}

/** The active client of an earlier life of the host is connected no longer. */
export function releaseAfterRestart(door: Door, session: Channel<'session'>): void {
  if (session.state.activeClient) release(door, session);
}

function release(door: Door, session: Channel<'session'>): void {
  door.commit(session, { type: 'session/activeClientChanged', activeClient: null });
}
