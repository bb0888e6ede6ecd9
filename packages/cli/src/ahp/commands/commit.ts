import type { Command } from 'commander';
import { type OperateOptions, operate } from '../changes/operate.js';
import { command } from '../command.js';

export default function commitCommand(): Command {
  return command(
    'commit [session]',
    'Commit what is staged, or everything when nothing is. The host writes the message.',
    ['ahp commit 4f2a', 'ahp stage 4f2a --file src/main.ts && ahp commit 4f2a'],
  )
    .option('-y, --yes', 'do not ask')
    .action((session: string | undefined, options: OperateOptions) =>
      operate('commit', session, options, 'uncommitted'),
    );
}
