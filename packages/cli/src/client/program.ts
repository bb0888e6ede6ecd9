import { Command } from 'commander';
import { VERSION } from '../version.js';
import { GROUPS } from './command-table.js';

/** The command line with the wanted command loaded, and the others as mere names; with `all`, everything loaded. */
export async function createProgram(wanted: string | undefined | { all: true }): Promise<Command> {
  const program = new Command('moorage')
    .description(
      'Run coding agents as durable sessions: follow them from anywhere, steer them, review what they changed.',
    )
    .version(VERSION)
    .enablePositionalOptions()
    .showHelpAfterError('(moorage --help lists the commands)')
    .addHelpText('after', HELP);
  for (const [group, commands] of GROUPS) {
    for (const { name, summary, load } of commands) {
      const isWanted = typeof wanted === 'object' || wanted === name;
      const command = isWanted ? (await load()).default() : new Command(name);
      program.addCommand(command.summary(summary).helpGroup(`${group}:`));
    }
  }
  return program;
}

const HELP = `
A session is named by the start of its id or of its title. Where it may be left out, the newest session of the current
folder is meant. Every command has --help with examples, and --json.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the turn was cancelled, 4 left while the turn is still running.

Examples:
  moorage host start --root .            start a host in the background
  moorage run "Fix the failing test"     start a session in this folder and follow it
  moorage ls                             see all sessions
  moorage diff                           see what the newest session here changed
`;
