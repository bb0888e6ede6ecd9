import type { Command } from 'commander';
import { command } from '../command.js';
import { type DecideOptions, decide } from '../turn/decide.js';

export default function denyCommand(): Command {
  return command('deny [session] [call]', 'Deny what an agent asks to do.', [
    'moorage deny 4f2a --reason "Not in this file"',
    'moorage deny 4f2a --all',
  ])
    .option('--all', 'deny every call that waits')
    .option('--reason <text>', 'tell the agent why')
    .option('--option <option>', 'choose an option that the agent offers, by its label or id')
    .action((session: string | undefined, call: string | undefined, options: DecideOptions) =>
      decide(false, session, call, options),
    );
}
