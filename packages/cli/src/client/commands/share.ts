import { PersonRole } from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { withHost } from '../host/open.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { findSession } from '../sessions/find.js';
import { printLink, roleOption } from './people.js';

interface ShareOptions extends CommonOptions {
  readonly role: PersonRole;
  readonly for: string;
}

export default function shareCommand(): Command {
  return command('share [session]', 'Print a link to one session, with fewer rights and an end.', [
    'moorage share 4f2a                       # who has the link may look, for a week',
    'moorage share 4f2a --role review --for 2d',
    'moorage people revoke link-4f2a90        # end it before its time',
  ])
    .addOption(roleOption('what whoever has the link may do').default(PersonRole.View))
    .option('--for <time>', 'how long, such as 45m, 12h or 7d', '7d')
    .action(async (wanted: string | undefined, options: ShareOptions) => {
      const expiresAt = Date.now() + millisecondsIn(options.for);
      await withHost(options, async (client) => {
        const { resource, title } = await findSession(client, wanted);
        const { role } = options;
        const made = await client.request('moorage/shareSession', { channel: resource, role, expiresAt });
        const link = `${made.page ?? ''}#${new URLSearchParams({ token: made.token, session: resource })}`;
        if (options.json) return printLine(jsonLine({ session: resource, role, expiresAt, ...made, link }));
        await printLink(link, made.page);
        const until = new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ');
        note(`Whoever has it may ${role} "${plainLine(title)}" until ${until} UTC.`);
        note(`End it earlier with: moorage people revoke ${made.name}`);
      });
    });
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function millisecondsIn(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= MAX_MS) return milliseconds;
  throw new UsageError(`--for ${text}: expected a time such as 45m, 12h or 7d, up to 365d`);
}

const MAX_MS = 365 * 86_400_000;
