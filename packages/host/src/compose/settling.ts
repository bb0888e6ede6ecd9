import type { URI } from '@ahpd/protocol';
import { type Channel, isKind } from '../core/channel.js';
import { releaseIfGone } from '../services/sessions/active-clients.js';
import { repeatLostChanges } from '../services/sessions/lost-changes.js';
import type { Clients } from './clients.js';
import type { Foundation } from './foundation.js';
import type { Services } from './services.js';

/** Settles what an earlier life of the host left behind. */
export function settleAfterRestart({ context }: Foundation, services: Services, clients: Clients): void {
  const { door, store, log } = context;
  const { sessions, mcp, resources, turns, operations, worktrees } = services;
  const settleSession = (session: Channel<'session'>) => {
    sessions.settle(session);
    mcp.settleAfterRestart(session);
    releaseIfGone(door, session, (clientId) => clients.isConnected(clientId));
  };
  operations?.settleAfterRestart();
  worktrees?.settleAfterRestart();
  repeatLostChanges(context, settleSession);
  const settleChannel = (uri: URI) => {
    const channel = door.channels.load(uri);
    if (isKind(channel, 'session')) settleSession(channel);
    if (!isKind(channel, 'chat')) return;
    mcp.settleAfterRestart(channel);
    resources.settleAfterRestart(channel); // before the turn is seen to wait for a question that was not its own
    turns.settleAfterRestart(channel);
  };
  for (const uri of store.header.unsettled) {
    try {
      settleChannel(uri);
    } catch (error) {
      // One damaged session must not keep the host from serving the others.
      log.write('error', 'a session could not be taken up', { channel: uri, error: String(error) });
    }
  }
  door.settle();
}
