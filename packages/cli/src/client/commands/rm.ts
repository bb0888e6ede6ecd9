import type { Client } from '@moorage/client';
import { ExtensionMeta } from '@moorage/protocol';
import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { withHost } from '../host/open.js';
import { confirm } from '../output/confirm.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { findSession, shortId } from '../sessions/find.js';
import { removedSessions } from '../sessions/removed.js';

interface RmOptions extends CommonOptions {
  readonly yes?: boolean;
}

interface Worktree {
  readonly path: string;
  readonly branch: string;
  readonly kept: boolean;
  readonly reason?: string;
}

/** Ends a session. What became of its work tree the host says in the session's last state. */
async function end(client: Client, channel: string): Promise<Worktree[]> {
  const session = await client.session(channel);
  await client.request('disposeSession', { channel });
  const worktree = session.confirmed._meta?.[ExtensionMeta.worktree] as Worktree | undefined;
  return worktree ? [worktree] : [];
}

export default function rmCommand(): Command {
  return command('rm <session...>', 'End sessions and remove them from the host. Files stay as they are.', [
    'moorage rm 4f2a',
    'moorage rm 4f2a 77c1 --yes',
    'moorage restore 4f2a             # and back, while the host keeps it',
    'moorage archive 4f2a             # if you only want it out of the way',
  ])
    .option('-y, --yes', 'do not ask')
    .action(async (wanted: string[], options: RmOptions) => {
      await withHost(options, async (client) => {
        const sessions = [];
        for (const one of wanted) sessions.push(await findSession(client, one));
        const names = sessions.map((session) => `${shortId(session)} "${plainLine(session.title)}"`).join(', ');
        const isKept = (await removedSessions(client)) !== undefined;
        const fate = isKept ? 'The host keeps what it removes for a while.' : 'This host cannot bring a session back.';
        await confirm(`Remove ${names}? ${fate}`, options.yes);
        const worktrees = [];
        for (const { resource } of sessions) worktrees.push(...(await end(client, resource)));
        const removed = sessions.map(({ resource }) => resource);
        if (options.json) return printLine(jsonLine({ removed, ...(worktrees.length > 0 && { worktrees }) }));
        printLine(`removed ${names}`);
        for (const { path, branch, kept, reason } of worktrees) {
          const fate = kept ? `is kept: ${reason}` : 'is removed too';
          note(`its work tree ${plainLine(path)} (branch ${plainLine(branch)}) ${plainLine(fate)}`);
        }
        if (isKept) for (const session of sessions) note(`bring it back with: moorage restore ${shortId(session)}`);
      });
    });
}
