import { Command, InvalidArgumentError } from 'commander';
import { pathValue } from '../option-values.js';

/** The options of every command: which host to talk to, and how to print. */
export interface CommonOptions {
  readonly host?: string;
  readonly tokenFile?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** A command of `ahp`, with the common options and with examples below its help. */
export function command(usage: string, description: string, examples: readonly string[]): Command {
  const [name, ...parameters] = usage.split(' ');
  const made = new Command(name).description(description);
  for (const parameter of parameters) made.argument(parameter);
  return made
    .option('--host <url|name>', 'the host to talk to: a URL, or a name given with ahp host add (or AHP_HOST)')
    .option('--token-file <file>', "file with the host's token (or AHP_TOKEN)", pathValue)
    .option('--data-dir <folder>', 'data folder of a host on this machine', pathValue)
    .option('--json', 'print JSON for programs')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}\n`).join('')}`);
}

/** For options that count something. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}
