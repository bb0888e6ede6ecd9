import type { Command } from 'commander';
import { CommandError, ExitCode } from './client/errors.js';
import { flushed } from './client/output/out.js';
import { plain } from './client/output/plain.js';
import { createProgram } from './client/program.js';
import { UsageError } from './usage-error.js';

// The reader of our output may be gone before we are done (`moorage log | head`), which is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.stderr.on('error', () => {});

if (process.argv.length === 2) {
  (await createProgram(undefined)).outputHelp(); // what there is, as somebody who types only the name wants to know
  await flushed();
  process.exit();
}
const program = await createProgram(process.argv[2] === 'help' ? process.argv[3] : process.argv[2]);
prepare(program, 'moorage');
try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`moorage: ${plain(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = exitCodeOf(error);
}
await flushed();
process.exit();

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return ExitCode.WrongUsage;
  return error instanceof CommandError ? error.exitCode : ExitCode.Failed;
}

/** Makes every command exit with our codes, and point to its examples when it was used wrongly. */
function prepare(command: Command, path: string): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? ExitCode.Done : ExitCode.WrongUsage));
  for (const child of command.commands) {
    const name = `${path} ${child.name()}`;
    child.showHelpAfterError(`(${name} --help has examples)`);
    prepare(child, name);
  }
}
