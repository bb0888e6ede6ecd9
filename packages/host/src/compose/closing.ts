import { CloseCodes } from '@ahpd/protocol';
import type { Server } from '../server/server.js';
import type { Foundation } from './foundation.js';
import type { Services } from './services.js';

/** Closes everything in order: first what accepts work, then what does the work, then what the work depends on. */
export async function closeAll({ context: { door } }: Foundation, services: Services, server: Server): Promise<void> {
  const { cold, retention, clientTools, auth, watches, customizations, indexes, turns, annotations, mcp } = services;
  const { worktrees, operations, terminals, changesets, workspaces, agents } = services;
  cold.stop();
  const retentionStopped = retention.stop();
  door.settle();
  server.connections.closeAll(CloseCodes.GoingAway, 'the host is stopping');
  clientTools.dispose();
  auth.dispose();
  watches.dispose();
  customizations?.close();
  indexes.dispose();
  // Programs that ignore signals take seconds to end; one after the other they would take too long.
  await Promise.all([turns.dispose(), mcp.close(), terminals?.close()]);
  await annotations.dispose();
  await worktrees?.close();
  await operations?.idle();
  await changesets?.turnsEnded();
  const changesetsClosed = changesets?.close(); // may wait for work in a workspace, which its close aborts
  await workspaces?.close();
  await Promise.all([changesetsClosed, retentionStopped]);
  await agents.dispose();
  door.settle();
}
