/** The commands that run a host or work on its data. All others are a client's. */
const HOST_COMMANDS: ReadonlySet<string> = new Set(['serve', 'backup', 'recover']);

/** Options that may come before the command, and take a value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['--host', '--token-file', '--data-dir']);

export interface CommandLine {
  /** With the command first, and behind it the options that came before it. */
  readonly args: readonly string[];
  readonly isForHost: boolean;
}

/** Reads what was typed after `moorage`: options such as `--host` and `--json` may come before or after the command. */
export function readCommandLine(typed: readonly string[]): CommandLine {
  let at = 0;
  while (typed[at]?.startsWith('--') && typed[at] !== '--') at += WITH_VALUE.has(typed[at] ?? '') ? 2 : 1;
  const [command, ...rest] = typed.slice(at);
  const named = command === 'help' ? rest[0] : command;
  const args = command === undefined ? typed : [command, ...typed.slice(0, at), ...rest];
  return { args, isForHost: named !== undefined && HOST_COMMANDS.has(named) };
}
