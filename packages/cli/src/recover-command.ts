import { Command } from 'commander';
import { pathValue } from './option-values.js';
import type { RecoverOptions } from './recover/run.js';

/** `moorage recover`, for when `moorage serve` says that its store is damaged. */
export default function recoverCommand(): Command {
  return new Command('recover')
    .description('Save what can still be read of a damaged store. The damaged file is kept.')
    .option('--data-dir <folder>', 'the data folder of the host (default: the XDG data folder)', pathValue)
    .option('--check', 'only say whether the store is whole')
    .addHelpText('after', HELP)
    .action(async (options: RecoverOptions) => {
      const { runRecover } = await import('./recover/run.js');
      runRecover(options);
    });
}

const HELP = `
Exit codes: 0 the store is whole, 1 it failed, 2 wrong usage, 3 something was damaged.

Examples:
  moorage recover --check                  say whether the store is whole, and change nothing
  moorage recover --data-dir ~/moorage-data
`;
