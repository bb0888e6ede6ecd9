import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { findSession } from '../sessions/find.js';

export default function renameCommand(): Command {
  return command('rename <session> <title...>', 'Give a session another title.', [
    'moorage rename 4f2a "Tidy the imports"',
  ]).action(async (wanted: string, words: string[], options: CommonOptions) => {
    const title = words.join(' ').trim();
    if (title === '')
      throw new UsageError('say what the title is, for example: moorage rename SESSION "Tidy the imports"');
    await withHost(options, async (client) => {
      const { resource } = await findSession(client, wanted);
      const session = await client.session(resource);
      await session.dispatch({ type: 'session/titleChanged', title });
      printLine(options.json ? jsonLine({ session: resource, title }) : `renamed to ${plainLine(title)}`);
    });
  });
}
