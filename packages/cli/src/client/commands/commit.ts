import type { Command } from 'commander';
import { askForCommit, type CommitQuestion } from '../changes/ask-for-commit.js';
import { type OperateOptions, operate } from '../changes/operate.js';
import { command } from '../command.js';

export default function commitCommand(): Command {
  return command(
    'commit [session]',
    'Commit what is staged, or everything when nothing is. Shows the files and asks for the message.',
    [
      'moorage commit 4f2a',
      'moorage commit 4f2a -m "Add a cache"       # asks only whether to do it',
      'moorage stage 4f2a --file src/main.ts && moorage commit 4f2a -m "Add a cache" --yes',
    ],
  )
    .option('-m, --message <text>', 'the commit message')
    .option('-y, --yes', 'do not ask; without a message, the host writes it')
    .action((session: string | undefined, options: OperateOptions & CommitQuestion) =>
      operate('commit', session, options, 'uncommitted', (files, folder) => askForCommit(files, folder, options)),
    );
}
