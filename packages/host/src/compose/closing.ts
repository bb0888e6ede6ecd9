import { CloseCodes } from '@moorage/protocol';
import type { Server } from '../server/server.js';
import { inTime } from '../services/in-time.js';
import type { Foundation } from './foundation.js';
import type { Services } from './services.js';

/**
 * Closes everything in order: first what accepts work, then what does the work, then what the work depends on. No part is
 * waited for longer than a stop can afford: what is left then, the next life of the host finishes or takes back.
 */
export async function closeAll({ context, door }: Foundation, services: Services, server: Server): Promise<void> {
  const { clock, log } = context;
  const { cold, provisional, retention, clientTools, auth, watches, customizations, indexes, turns, annotations, mcp } =
    services;
  const { worktrees, sandbox, operations, terminals, changesets, workspaces, agents } = services;
  const waitFor = async (milliseconds: number, parts: Readonly<Record<string, Promise<unknown> | undefined>>) => {
    const left = new Set(Object.keys(parts));
    const done = Object.entries(parts).map(async ([name, part]) => {
      await part?.catch((error: unknown) =>
        log.write('error', 'host.stop-failed', `closing ${name} failed`, { error: String(error) }),
      );
      left.delete(name);
    });
    await inTime(Promise.all(done), milliseconds, clock);
    if (left.size > 0)
      log.write('warn', 'host.stop-timed-out', 'some parts did not stop in time', { what: [...left].join(', ') });
  };
  cold.stop();
  provisional.stop();
  services.notifications?.stop();
  services.search?.stop();
  services.automations?.stop();
  const retentionStopped = retention.stop();
  door.settle();
  server.connections.closeAll(CloseCodes.GoingAway, 'the host is stopping');
  clientTools.dispose();
  auth.dispose();
  watches.dispose();
  customizations?.close();
  indexes.dispose();
  const annotationsClosed = annotations.dispose(); // may wait for a look at a folder, which is aborted below
  const turnsEnded = turns.dispose().then(async () => {
    await new Promise<void>((resolve) => clock.defer(resolve)); // so that the turn of an agent that just ended is seen to end
    await changesets?.turns.allEnded();
  });
  // All at once: programs that ignore signals take seconds to end, and so does git on a busy machine.
  await waitFor(WORK_MS, {
    turns: turnsEnded,
    'MCP servers': mcp.close(),
    terminals: terminals?.close(),
    'work trees': worktrees?.close(),
    operations: operations?.idle(),
  });
  const changesetsClosed = changesets?.close(); // may wait for work in a workspace, which its close aborts
  await waitFor(LOOKS_MS, {
    agents: agents.dispose(),
    'looks at folders': workspaces?.close(),
    changesets: changesetsClosed,
    annotations: annotationsClosed,
    sandbox: sandbox?.close(),
    'tools of the host': services.hostTools?.close(),
    retention: retentionStopped,
  });
  door.close();
}

/**
 * Milliseconds for all work to end, and then for everything that merely looks at folders to be aborted. The first is a
 * little more than the 3 s after which agents and MCP servers are killed; both together leave a margin in the 5 s of a stop.
 */
const WORK_MS = 3_300;
const LOOKS_MS = 700;
