import type { Command } from 'commander';
import { command } from '../command.js';
import { type DecideOptions, decide } from '../turn/decide.js';

export default function approveCommand(): Command {
  return command('approve [session] [call]', 'Approve what an agent asks to do.', [
    'moorage approve                 # the one call that waits in the newest session of this folder',
    'moorage approve 4f2a            # in the session whose id starts so',
    'moorage approve 4f2a --all',
  ])
    .option('--all', 'approve every call that waits')
    .option('--option <option>', 'choose an option that the agent offers, by its label or id')
    .action((session: string | undefined, call: string | undefined, options: DecideOptions) =>
      decide(true, session, call, options),
    );
}
