import { Command, Help, InvalidArgumentError, type Option } from 'commander';
import { pathValue } from '../option-values.js';

/** The options of every command: which host to talk to, and how to print. */
export interface CommonOptions {
  readonly host?: string;
  readonly tokenFile?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** A command of `moorage`, with the common options and with examples below its help. */
export function command(usage: string, description: string, examples: readonly string[]): Command {
  const [name, ...parameters] = usage.split(' ');
  const made = new Command(name).description(description);
  for (const parameter of parameters) made.argument(parameter);
  return connectionOptionsLast(made)
    .option('--host <url|name>', 'the host to talk to: a URL, or a name given with moorage host add (or MOORAGE_HOST)')
    .option('--token-file <file>', "file with the host's token (or MOORAGE_TOKEN)", pathValue)
    .option('--data-dir <folder>', 'data folder of a host on this machine', pathValue)
    .option('--json', 'print JSON for programs')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}\n`).join('')}`);
}

/** What a command is about comes first in its help, and after it what all commands have. */
function connectionOptionsLast(command: Command): Command {
  return command.configureHelp({
    visibleOptions(of) {
      const all = Help.prototype.visibleOptions.call(this, of);
      const isCommon = ({ long }: Option) => COMMON.has(long ?? '');
      return [...all.filter((option) => !isCommon(option)), ...all.filter(isCommon)];
    },
  });
}

const COMMON: ReadonlySet<string> = new Set(['--host', '--token-file', '--data-dir', '--json', '--help']);

/** For options that count something. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

/** For options that say how much; 0 means without a limit. */
export function amount(text: string): number {
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('expected a number such as 5 or 0.50');
  return Number(text);
}

/** For options that say how many of something are wanted. */
export function positiveNumber(text: string): number {
  if (!/^0*[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a whole number above 0');
  return Number(text);
}
