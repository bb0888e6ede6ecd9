import { type Command, CommanderError } from 'commander';
import { CommandError, ExitCode } from './client/errors.js';
import { plain } from './client/output/plain.js';
import { createProgram } from './client/program.js';
import { UsageError } from './usage-error.js';

export { flushed } from './client/output/out.js';

/** Runs a client's command, given as what was typed after `moorage`. How it ended is in `process.exitCode`. */
export async function runClientCommand(args: readonly string[]): Promise<void> {
  const [name, of] = args;
  const program = await createProgram(name === 'help' ? of : name);
  prepare(program, 'moorage');
  if (name === undefined) return program.outputHelp(); // what there is, as somebody who types only the name wants to know
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    if (error instanceof CommanderError) return; // it has said why
    process.stderr.write(`moorage: ${plain(error instanceof Error ? error.message : String(error))}\n`);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Done : ExitCode.WrongUsage;
  if (error instanceof UsageError) return ExitCode.WrongUsage;
  return error instanceof CommandError ? error.exitCode : ExitCode.Failed;
}

/** Makes every command end with our codes, and point to its examples when it was used wrongly. */
function prepare(command: Command, path: string): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => process.stdout.write(text),
    writeErr: (text) => process.stderr.write(text),
  });
  for (const child of command.commands) {
    const name = `${path} ${child.name()}`;
    child.showHelpAfterError(`(${name} --help has examples)`);
    prepare(child, name);
  }
}
