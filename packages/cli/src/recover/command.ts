import { resolve } from 'node:path';
import { Command } from 'commander';
import { defaultDataFolder } from '../data-folder.js';
import { pathValue } from '../option-values.js';
import { recover } from './recover.js';

/** `moorage recover`, for when `moorage serve` says that its store is damaged. */
export function recoverCommand(): Command {
  return new Command('recover')
    .description('Save what can still be read of a damaged store. The damaged file is kept.')
    .option('--data-dir <folder>', 'the data folder of the host (default: the XDG data folder)', pathValue)
    .option('--check', 'only say whether the store is whole')
    .action((options: { dataDir?: string; check?: boolean }) => {
      const outcome = recover(resolve(options.dataDir ?? defaultDataFolder()), options.check === true);
      process.stdout.write(`${outcome.lines.join('\n')}\n`);
      process.exitCode = outcome.isWhole ? 0 : EXIT_DAMAGED;
    });
}

/** Something is lost, or would be lost without `--check`. */
const EXIT_DAMAGED = 3;
