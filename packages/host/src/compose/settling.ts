import { type Channel, isKind } from '../core/channel.js';
import { releaseIfGone } from '../services/sessions/active-clients.js';
import { showInSession } from '../services/sessions/show-in-session.js';
import type { Clients } from './clients.js';
import type { Foundation } from './foundation.js';
import type { Services } from './services.js';

/** Settles what was under way when the host last ended, and from then on what was under way in sessions that are restored or come from another host. */
export function settleAfterRestart({ context, door }: Foundation, services: Services, clients: Clients): void {
  const { store, log } = context;
  const {
    sessions,
    provisional,
    restored,
    moved,
    changesets,
    mcp,
    resources,
    turns,
    operations,
    worktrees,
    automations,
  } = services;
  const settleSession = (session: Channel<'session'>) => {
    sessions.settle(session);
    releaseIfGone(door, session, (clientId) => clients.isConnected(clientId));
  };
  automations?.open();
  operations?.settleAfterRestart();
  worktrees?.settleAfterRestart();
  const settleChannel = (channel: Channel | undefined) => {
    if (channel) mcp.settleAfterRestart(channel);
    if (isKind(channel, 'session')) settleSession(channel);
    if (!isKind(channel, 'chat')) return;
    resources.settleAfterRestart(channel); // before turns: closes questions that are not the turn's own
    turns.settleAfterRestart(channel);
    showInSession(door, channel);
  };
  const settleAll = (channels: readonly Channel[]) => {
    for (const channel of channels) {
      settleChannel(channel);
      if (isKind(channel, 'session')) void changesets?.turns.restored(channel);
    }
  };
  restored.connect(settleAll);
  moved.connect(settleAll);
  for (const uri of store.header.unsettled) {
    try {
      settleChannel(door.channels.load(uri));
    } catch (error) {
      // One damaged session must not prevent the host from serving the others.
      log.write('error', 'session.resume-failed', 'resuming a session failed', { channel: uri, error: String(error) });
    }
  }
  door.settle();
  automations?.start();
  services.search?.start();
  provisional.start((session) => void sessions.dispose(session));
  door.settle();
}
