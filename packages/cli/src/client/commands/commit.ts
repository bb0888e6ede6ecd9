import { type Command, Option } from 'commander';
import { askForCommit, type CommitQuestion } from '../changes/ask-for-commit.js';
import { type OperateOptions, operate } from '../changes/operate.js';
import { command } from '../command.js';

export default function commitCommand(): Command {
  return command(
    'commit [session]',
    'Commit what is staged, or else what the session changed. Shows the files and asks for the message; can be undone.',
    [
      'moorage commit 4f2a',
      'moorage commit 4f2a -m "Add a cache"       # asks only whether to do it',
      'moorage commit 4f2a --what reviewed        # the hunks that are marked as reviewed',
      'moorage stage 4f2a --file src/main.ts && moorage commit 4f2a -m "Add a cache" --yes',
    ],
  )
    .option('-m, --message <text>', 'the commit message')
    .addOption(
      new Option('--what <choice>', 'what goes in; "all" has your own changes as well').choices([
        'staged',
        'session',
        'reviewed',
        'all',
      ]),
    )
    .option('-y, --yes', 'do not ask; without a message, the host writes it')
    .action((session: string | undefined, options: OperateOptions & CommitQuestion) =>
      operate('commit', session, options, 'uncommitted', (shown) => askForCommit(shown, options)),
    );
}
