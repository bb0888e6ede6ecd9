import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import {
  attachTerminalById,
  killTerminal,
  listTerminals,
  newTerminal,
  type TermOptions,
} from '../terminal/terminals.js';

export default function termCommand(): Command {
  const list = command('ls', 'List the terminals of the host.', ['moorage term ls', 'moorage term ls --json']).action(
    (options: CommonOptions) => listTerminals(options),
  );
  const attach = command(
    'attach <terminal>',
    'Join a terminal by the start of its id or its title. Ctrl-] leaves it.',
    ['moorage term attach 7b1c'],
  ).action((terminal: string, options: CommonOptions) => attachTerminalById(terminal, options));
  const kill = command('kill <terminal>', 'End a terminal and what runs in it.', ['moorage term kill 7b1c']).action(
    (terminal: string, options: CommonOptions) => killTerminal(terminal, options),
  );
  const term = command(
    'term',
    'Open a terminal on the host, in the current folder, and join it. Ctrl-] leaves it running.',
    [
      'moorage term                       # a new one',
      'moorage term --name build --detach # a new one that runs in the background',
      'moorage term ls',
      'moorage term attach build',
    ],
  )
    .option('--name <name>', 'what to call it')
    .option('-d, --detach', 'do not join it; print its id')
    .action((options: TermOptions) => newTerminal(options));
  term.enablePositionalOptions();
  for (const child of [list, attach, kill]) term.addCommand(child);
  return term;
}
