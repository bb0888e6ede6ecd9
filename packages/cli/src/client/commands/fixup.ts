import { ExtensionMeta } from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type OperateOptions, operate } from '../changes/operate.js';
import { command } from '../command.js';
import { confirm } from '../output/confirm.js';

export default function fixupCommand(): Command {
  return command(
    'fixup <commit> [session]',
    'Put changes that are not committed into an earlier commit that was not pushed. moorage undo undoes it.',
    ['moorage fixup 3f9c2ab --file src/main.ts', 'moorage fixup 3f9c2ab 4f2a --interactive    # hunk by hunk'],
  )
    .option('--file <path...>', 'these files')
    .option('-i, --interactive', 'choose hunks')
    .option('-y, --yes', 'do not ask')
    .action((commit: string, session: string | undefined, options: OperateOptions) => fixup(commit, session, options));
}

async function fixup(commit: string, session: string | undefined, options: OperateOptions): Promise<void> {
  if (!options.file && !options.interactive)
    throw new UsageError('name files with --file, or choose hunks with --interactive');
  const ask = async () => {
    if (!options.interactive)
      await confirm(
        `Put this into ${commit}? The commits since are made again; moorage undo brings them back.`,
        options.yes,
      );
    return { [ExtensionMeta.commit]: commit };
  };
  await operate('fixup', session, { ...options, uncommitted: true }, 'uncommitted', ask, {
    label: 'Put into the commit',
  });
}
