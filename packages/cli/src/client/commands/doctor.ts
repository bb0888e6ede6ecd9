import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { ExitCode } from '../errors.js';
import { type Check, runChecks } from '../host/checks.js';
import { colour, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';

export default function doctorCommand(): Command {
  return command('doctor', 'Check Node, git, the host, its agents and permissions, and say how to fix what is wrong.', [
    'moorage doctor',
    'moorage doctor --json',
  ]).action(async (options: CommonOptions) => {
    const checks = await withProgress('checking', runChecks(options));
    if (checks.some(({ state }) => state === 'bad')) process.exitCode = ExitCode.Failed;
    if (options.json) return printLine(jsonLine(checks));
    for (const { name, state, found, fix } of checks) {
      printLine(`${MARKS[state]} ${name.padEnd(12)} ${plainLine(found)}`);
      if (fix !== undefined) printLine(`  ${' '.repeat(12)} ${colour.dim(`fix: ${plainLine(fix)}`)}`);
    }
  });
}

const MARKS: { readonly [K in Check['state']]: string } = {
  good: colour.green('ok  '),
  unsure: colour.yellow('note'),
  bad: colour.red('FAIL'),
};
