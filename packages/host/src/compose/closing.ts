import { CloseCodes } from '@ahpd/protocol';
import type { Server } from '../server/server.js';
import type { Foundation } from './foundation.js';
import type { Services } from './services.js';

/** Ends everything in good order: who asks first, then who works, then what they work with. */
export async function closeAll({ context: { door } }: Foundation, services: Services, server: Server): Promise<void> {
  const { cold, retention, clientTools, auth, watches, customizations, indexes, turns, annotations, mcp } = services;
  const { worktrees, operations, terminals, changesets, workspaces, agents } = services;
  cold.stop();
  const tidied = retention.stop();
  door.settle();
  server.connections.closeAll(CloseCodes.GoingAway, 'the host is stopping');
  clientTools.dispose();
  auth.dispose();
  watches.dispose();
  customizations?.close();
  indexes.dispose();
  // Programs that do not listen take seconds to end. One after the other they would take longer than a stop may.
  await Promise.all([turns.dispose(), mcp.close(), terminals?.close()]);
  await annotations.dispose();
  await worktrees?.close();
  await operations?.idle();
  await changesets?.turnsEnded();
  const givenUp = changesets?.close();
  await workspaces?.close();
  await Promise.all([givenUp, tidied]);
  await agents.dispose();
  door.settle();
}
