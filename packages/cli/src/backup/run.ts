import { resolve } from 'node:path';
import { plural } from '../client/output/plural.js';
import { StatusLine } from '../client/output/status-line.js';
import { defaultDataFolder } from '../data-folder.js';
import { type Backup, backUp } from './backup.js';
import { megabytes } from './megabytes.js';

export interface BackupOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** Backs up, and prints what was copied. */
export async function runBackup(folder: string, { dataDir = defaultDataFolder(), json }: BackupOptions): Promise<void> {
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
