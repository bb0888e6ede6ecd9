import type { Command } from 'commander';
import { type OperateOptions, operate } from '../changes/operate.js';
import { command } from '../command.js';

interface StageOptions extends OperateOptions {
  readonly undo?: boolean;
}

export default function stageCommand(): Command {
  return command('stage [session]', 'Put uncommitted changes into the index of git.', [
    'moorage stage 4f2a',
    'moorage stage 4f2a --file src/main.ts',
    'moorage stage 4f2a --interactive           # hunk by hunk',
    'moorage stage 4f2a --undo                  # out of the index again',
  ])
    .option('--file <path...>', 'only these files')
    .option('-i, --interactive', 'choose hunks')
    .option('--undo', 'take them out of the index')
    .action((session: string | undefined, options: StageOptions) =>
      operate(options.undo ? 'unstage' : 'stage', session, options, 'uncommitted'),
    );
}
