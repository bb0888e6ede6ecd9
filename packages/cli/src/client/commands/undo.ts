import type { Command } from 'commander';
import { type OperateOptions, operate } from '../changes/operate.js';
import { withChangesOptions } from '../changes/options.js';
import { command } from '../command.js';

export default function undoCommand(): Command {
  const undo = command('undo [session]', 'Undo the last operation on changes (revert, stage, ...).', [
    'moorage undo 4f2a',
    'moorage undo 4f2a --uncommitted        # after moorage stage',
  ]);
  return withChangesOptions(undo)
    .option('-y, --yes', 'do not ask')
    .action((session: string | undefined, options: OperateOptions) => operate('undo', session, options, 'session'));
}
