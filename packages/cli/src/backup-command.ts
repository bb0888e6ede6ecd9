import { Command } from 'commander';
import type { BackupOptions } from './backup/run.js';
import { pathValue } from './option-values.js';

/** `moorage backup`, for a host that runs as well as for one that does not. */
export default function backupCommand(): Command {
  return new Command('backup')
    .description('Copy the data of a host, running or not, into a new folder, and check the copy.')
    .argument('<folder>', 'where to put it: a folder that does not exist yet, or is empty', pathValue)
    .option('--data-dir <folder>', 'the data folder of the host (default: the XDG data folder)', pathValue)
    .option('--json', 'print one JSON object instead of text')
    .addHelpText('after', HELP)
    .action(async (folder: string, options: BackupOptions) => {
      const { runBackup } = await import('./backup/run.js');
      await runBackup(folder, options);
    });
}

const HELP = `
Not in the backup: your repositories, logs, and what a host makes again by itself.

Exit codes: 0 the backup is complete, 1 it failed and nothing of it was kept, 2 wrong usage.

Examples:
  moorage backup ~/moorage-backup
  moorage backup --json "/mnt/backups/$(date +%F)"
`;
