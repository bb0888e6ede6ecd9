import { createInterface } from 'node:readline';
import { UsageError } from '../../usage-error.js';
import { CommandError, ExitCode } from '../errors.js';

/** Asks for consent; without a terminal it has to be given with `--yes`. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new UsageError(`${question}\nConfirm with --yes`);
  if (!/^y(es)?$/i.test((await askLine(`${question} [y/N] `)) ?? '')) throw new CommandError('nothing was done');
}

/** Reads one line; undefined when the input ended. Ctrl-C ends the command. */
export function askLine(prompt: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  return new Promise((resolve, reject) => {
    lines.question(prompt, (line) => {
      resolve(line.trim());
      lines.close();
    });
    lines.once('SIGINT', () => {
      process.stderr.write('\n');
      reject(new CommandError('nothing was done', ExitCode.Cancelled));
      lines.close();
    });
    lines.once('close', () => resolve(undefined));
  });
}
