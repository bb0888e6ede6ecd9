/** The commands that run a host or work on its data. All others are a client's. */
const HOST_COMMANDS: ReadonlySet<string> = new Set(['serve', 'gateway', 'backup', 'recover']);

/** Options that may come before the command, and take a value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['--host', '--token-file', '--data-dir']);

const COMMON: ReadonlySet<string> = new Set([...WITH_VALUE, '--json']);

export interface CommandLine {
  /** With the command first, and behind it the options that came before it. */
  readonly args: readonly string[];
  readonly isForHost: boolean;
}

/** Commands that have commands of their own. */
const WITH_COMMANDS: ReadonlySet<string> = new Set([
  'host',
  'term',
  'auth',
  'agents',
  'mcp',
  'config',
  'service',
  'fleet',
]);

/** Reads what was typed after `moorage`: options such as `--host` and `--json` may come before or after the command. */
export function readCommandLine(typed: readonly string[]): CommandLine {
  const at = optionsAt(typed, 0);
  const [command, ...rest] = typed.slice(at);
  const named = command === 'help' ? rest[0] : command;
  if (command === undefined) return { args: typed, isForHost: false };
  const options = typed.slice(0, at);
  const isForHost = named !== undefined && HOST_COMMANDS.has(named);
  if (!WITH_COMMANDS.has(command)) return { args: [command, ...options, ...rest], isForHost };
  // Those before the inner command are meant for it, too.
  const inner = optionsAt(rest, 0, COMMON);
  const words = rest[inner] === undefined || rest[inner].startsWith('-') ? [] : [rest[inner]];
  return {
    args: [command, ...words, ...options, ...rest.slice(0, inner), ...rest.slice(inner + words.length)],
    isForHost,
  };
}

/** Where the options that start at an index end. */
function optionsAt(words: readonly string[], start: number, only?: ReadonlySet<string>): number {
  let at = start;
  while (words[at]?.startsWith('--') && words[at] !== '--') {
    const [name = ''] = (words[at] ?? '').split('=', 1);
    if (only && !only.has(name)) break;
    at += WITH_VALUE.has(words[at] ?? '') ? 2 : 1;
  }
  return at;
}
