import type { Command } from 'commander';
import { command } from '../command.js';
import { CommandError } from '../errors.js';

export default function restoreCommand(): Command {
  return command('restore <session>', 'Bring a removed session back. The protocol has no way to ask for it yet.', [
    'ahp archive 4f2a --undo      # an archived session, in contrast, can come back',
  ]).action(() => {
    throw new CommandError(
      'the protocol has no request that brings a removed session back, so no client can\nThe host keeps its data for 30 days. An archived session comes back with: ahp archive SESSION --undo',
    );
  });
}
