import type { Command } from 'commander';
import { type OperateOptions, operate } from '../changes/operate.js';
import { withChangesOptions } from '../changes/options.js';
import { command } from '../command.js';

export default function revertCommand(): Command {
  const revert = command(
    'revert [session]',
    'Take changes back. Nothing is written over later work; moorage undo undoes it.',
    [
      'moorage revert 4f2a --turn -1              # what its last turn changed',
      'moorage revert 4f2a --file src/main.ts',
      'moorage revert 4f2a --interactive          # hunk by hunk',
    ],
  );
  return withChangesOptions(revert)
    .option('--file <path...>', 'only these files')
    .option('-i, --interactive', 'choose hunks')
    .option('-y, --yes', 'do not ask')
    .action((session: string | undefined, options: OperateOptions) => operate('revert', session, options, 'session'));
}
