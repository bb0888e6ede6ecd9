import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { UsageError } from './usage-error.js';

/** The text of a file that the user named; `what` says where, such as an option. */
export function readNamedFile(what: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${what}: cannot read ${file}: ${whyUnreadable(error)}`);
  }
}

export function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? String(code);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};

/** Shells expand `~` in what is typed, but nobody does so in a configuration file. */
export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path;
}
