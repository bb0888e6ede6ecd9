import type { Client } from '@moorage/client';
import type { AuditedAct } from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';

interface AuditOptions extends CommonOptions {
  readonly since?: string;
  readonly person?: string;
}

export default function auditCommand(): Command {
  return command('audit', 'Print who did what on the host, oldest first. For admins.', [
    'moorage audit --since 2d',
    'moorage audit --person Ada',
    'moorage audit --json > audit.jsonl       # one JSON object a line',
  ])
    .option('--since <time>', 'only what was since then: 45m, 12h, 7d, or a date such as 2026-11-18')
    .option('--person <name>', 'only what this person did; the owner is called owner')
    .action(async (options: AuditOptions) => {
      const since = options.since === undefined ? undefined : momentOf(options.since);
      const isIntact = await withHost(options, (client) => printAll(client, since, options));
      if (!isIntact) throw new CommandError('the audit was tampered with: entries were changed or removed');
    });
}

async function printAll(client: Client, since: number | undefined, { json, person }: AuditOptions): Promise<boolean> {
  let [cursor, isIntact, count] = [undefined as string | undefined, true, 0];
  do {
    const page = await client.request('moorage/listAudit', {
      ...(cursor !== undefined && { cursor }),
      ...(since !== undefined && { since }),
    });
    isIntact &&= page.isIntact;
    cursor = page.nextCursor;
    for (const act of page.items) {
      if (person !== undefined && act.person !== person) continue;
      count++;
      printLine(json ? jsonLine(act) : lineOf(act));
    }
  } while (cursor !== undefined);
  if (count === 0 && !json) note('Nothing.');
  return isIntact;
}

function lineOf({ at, person, program, channel, what, about }: AuditedAct): string {
  const details = Object.entries(about ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  const time = new Date(at).toISOString().replace('T', ' ').slice(0, 19);
  return plainLine([time, person, what, channel, ...details, ...(program ? [`(${program})`] : [])].join(' '));
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function momentOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const moment = unit === '' ? Date.parse(text) : Date.now() - Number(count) * (UNITS[unit] ?? 0);
  if (Number.isFinite(moment)) return Math.floor(moment);
  throw new UsageError(`--since ${text}: expected 45m, 12h, 7d, or a date such as 2026-11-18`);
}
