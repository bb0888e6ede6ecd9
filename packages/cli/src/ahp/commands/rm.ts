import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { withHost } from '../host/open.js';
import { confirm } from '../output/confirm.js';
import { printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { findSession, shortId } from '../sessions/find.js';

interface RmOptions extends CommonOptions {
  readonly yes?: boolean;
}

export default function rmCommand(): Command {
  return command('rm <session...>', 'End sessions and remove them from the host. Files stay as they are.', [
    'ahp rm 4f2a',
    'ahp rm 4f2a 77c1 --yes',
    'ahp archive 4f2a             # if you only want it out of the way',
  ])
    .option('-y, --yes', 'do not ask')
    .action(async (wanted: string[], options: RmOptions) => {
      await withHost(options, async (client) => {
        const sessions = [];
        for (const one of wanted) sessions.push(await findSession(client, one));
        const names = sessions.map((session) => `${shortId(session)} "${plainLine(session.title)}"`).join(', ');
        await confirm(`Remove ${names}? No client can bring a session back.`, options.yes);
        for (const { resource } of sessions) await client.request('disposeSession', { channel: resource });
        if (options.json) printLine(jsonLine({ removed: sessions.map(({ resource }) => resource) }));
        else printLine(`removed ${names}`);
      });
    });
}
