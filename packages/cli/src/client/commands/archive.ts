import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine } from '../output/plain.js';
import { findSession } from '../sessions/find.js';

interface ArchiveOptions extends CommonOptions {
  readonly undo?: boolean;
}

export default function archiveCommand(): Command {
  return command('archive <session>', 'Archive a session: it stays, but moorage ls leaves it out.', [
    'moorage archive 4f2a',
    'moorage archive 4f2a --undo',
  ])
    .option('--undo', 'take it out of the archive')
    .action(async (wanted: string, options: ArchiveOptions) => {
      await withHost(options, async (client) => {
        const { resource } = await findSession(client, wanted);
        const session = await client.session(resource);
        const isArchived = !options.undo;
        await session.dispatch({ type: 'session/isArchivedChanged', isArchived });
        if (options.json) printLine(jsonLine({ session: resource, isArchived }));
        else printLine(isArchived ? 'archived' : 'out of the archive');
      });
    });
}
