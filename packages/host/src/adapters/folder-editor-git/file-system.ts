import { type BigIntStats, lstatSync, renameSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { untouched } from './look.js';

/** What is used of the file system; a test puts one in that fails at a chosen step. */
export type EditorFileSystem = Pick<
  typeof fs,
  | 'access'
  | 'chmod'
  | 'link'
  | 'lstat'
  | 'mkdir'
  | 'open'
  | 'readFile'
  | 'readdir'
  | 'readlink'
  | 'rename'
  | 'rm'
  | 'rmdir'
  | 'symlink'
  | 'writeFile'
> & {
  /** Renames over a file if it is still the one that was looked at; false if not. */
  replace(from: string, to: string, expected: BigIntStats): Promise<boolean>;
};

export const nodeFileSystem: EditorFileSystem = { ...fs, replace };

/** Both without a pause: no system lets one rename over a certain file only, and this leaves microseconds for somebody else's save. */
async function replace(from: string, to: string, expected: BigIntStats): Promise<boolean> {
  const now = lstatSync(to, { bigint: true, throwIfNoEntry: false });
  if (!now || !untouched(expected, now)) return false;
  renameSync(from, to);
  return true;
}
