import { resolve } from 'node:path';
import { Command } from 'commander';
import { defaultDataFolder } from '../data-folder.js';
import { recover } from './recover.js';

/** `ahpd recover`: for a store that `ahpd serve` refuses, or complains about, because it is damaged. */
export function recoverCommand(): Command {
  return new Command('recover')
    .description('Save what can be read of a damaged store; the damaged file is kept.')
    .option('--data-dir <folder>', 'the data folder of the host (default: the XDG data folder)')
    .option('--check', 'only say whether the store is whole')
    .action((options: { dataDir?: string; check?: boolean }) => {
      const outcome = recover(resolve(options.dataDir ?? defaultDataFolder()), options.check === true);
      process.stdout.write(`${outcome.lines.join('\n')}\n`);
      process.exitCode = outcome.isWhole ? 0 : EXIT_DAMAGED;
    });
}

/** Something is lost, or would be. */
const EXIT_DAMAGED = 3;
