import { type BigIntStats, lstatSync, renameSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { untouched } from './read-path.js';

/** The part of the file system that edits use. Tests pass one that fails at a chosen step. */
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
  /** Renames over a file if it is still the expected one. Returns false, and does nothing, if not. */
  replace(from: string, to: string, expected: BigIntStats): Promise<boolean>;
};

export const nodeFileSystem: EditorFileSystem = { ...fs, replace };

/**
 * Synchronous, because no system can check and rename atomically: this leaves only microseconds in which another program's
 * save could be overwritten.
 */
async function replace(from: string, to: string, expected: BigIntStats): Promise<boolean> {
  const now = lstatSync(to, { bigint: true, throwIfNoEntry: false });
  if (!now || !untouched(expected, now)) return false;
  renameSync(from, to);
  return true;
}
