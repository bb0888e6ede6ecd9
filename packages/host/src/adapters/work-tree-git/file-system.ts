import * as fs from 'node:fs/promises';

/** What is used of the file system; a test puts one in that fails at a chosen step. */
export type TreeFileSystem = Pick<
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
>;

export const nodeFileSystem: TreeFileSystem = fs;
