import { isAbsolute, join } from 'node:path';

/**
 * Files of an agent outside the session's folders: relative to its home, absolute, or below a folder that a variable names
 * (`$CODEX_HOME/config.toml`).
 */
export interface OwnFiles {
  /** What it writes: its login, its sessions. */
  readonly writable?: readonly string[] | undefined;
  /** What it only reads, also within what it writes: its settings may name programs that run outside the sandbox later. */
  readonly readable?: readonly string[] | undefined;
}

export function ownPaths(
  { writable = [], readable = [] }: OwnFiles,
  env: Readonly<Record<string, string>>,
): { readonly writable: string[]; readonly readable: string[] } {
  const paths = (names: readonly string[]) => names.flatMap((name) => pathOf(name, env));
  return { writable: paths(writable), readable: paths(readable) };
}

function pathOf(name: string, env: Readonly<Record<string, string>>): string[] {
  const [, variable, rest = ''] = /^\$(\w+)(?:\/(.*))?$/.exec(name) ?? [];
  const folder = variable === undefined ? env.HOME : env[variable];
  if (isAbsolute(name)) return [name];
  return folder ? [join(folder, variable === undefined ? name : rest)] : [];
}
