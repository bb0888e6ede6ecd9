import { resolve } from 'node:path';
import { Command } from 'commander';
import { plural } from '../client/output/plural.js';
import { StatusLine } from '../client/output/status-line.js';
import { defaultDataFolder } from '../data-folder.js';
import { pathValue } from '../option-values.js';
import { type Backup, backUp } from './backup.js';
import { megabytes } from './megabytes.js';

interface Options {
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** `moorage backup`, for a host that runs as well as for one that does not. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy the data of a host, running or not, into a new folder, and check the copy.')
    .argument('<folder>', 'where to put it: a folder that does not exist yet, or is empty', pathValue)
    .option('--data-dir <folder>', 'the data folder of the host (default: the XDG data folder)', pathValue)
    .option('--json', 'print one JSON object instead of text')
    .addHelpText('after', HELP)
    .action(run);
}

async function run(folder: string, { dataDir = defaultDataFolder(), json }: Options): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('it was interrupted'));
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const line = new StatusLine();
  try {
    const backup = await backUp(resolve(dataDir), resolve(folder), {
      signal: interruption.signal,
      onProgress: (text) => line.show(text),
    });
    line.show(undefined);
    for (const what of backup.unreadable) process.stderr.write(`cannot be read, also not from the copy: ${what}\n`);
    process.stdout.write(`${json ? JSON.stringify(backup) : summaryOf(backup)}\n`);
  } finally {
    line.show(undefined);
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function summaryOf({ folder, dataDir, sessions, chats, files, bytes, unreadable }: Backup): string {
  const what = `${plural(sessions, 'session')} with ${plural(chats, 'chat')}, ${plural(files, 'file')}`;
  return (
    `Backed up ${what}, ${megabytes(bytes)} to ${folder}; the copy of the store was checked and is ${unreadable.length === 0 ? 'whole' : 'as readable as the original'}. ` +
    `To restore it, stop the host, move ${dataDir} away and run: cp -a ${quoted(folder)} ${quoted(dataDir)}`
  );
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w/.,:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

const HELP = `
Not in the backup: your repositories, logs, and what a host makes again by itself.

Exit codes: 0 the backup is complete, 1 it failed and nothing of it was kept, 2 wrong usage.

Examples:
  moorage backup ~/moorage-backup
  moorage backup --json "/mnt/backups/$(date +%F)"
`;
