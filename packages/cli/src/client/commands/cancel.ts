import { turnCancelled } from '@moorage/client';
import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine } from '../output/plain.js';
import { LiveSession } from '../sessions/live-session.js';

export default function cancelCommand(): Command {
  return command('cancel [session]', 'Cancel the turn that runs in a session.', [
    'moorage cancel',
    'moorage cancel 4f2a',
  ]).action(async (session: string | undefined, options: CommonOptions) => {
    await withHost(options, async (client) => {
      const live = await LiveSession.find(client, session);
      const { activeTurn } = live.main.confirmed;
      if (!activeTurn) throw new CommandError('no turn is running in this session');
      await live.main.dispatch(turnCancelled(activeTurn));
      printLine(options.json ? jsonLine({ cancelled: activeTurn.id }) : 'cancelled');
    });
  });
}
