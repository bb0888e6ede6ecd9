import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './usage-error.js';

/** Where a host keeps its data unless it is told otherwise (XDG base directories). */
export function defaultDataFolder(): string {
  const { XDG_DATA_HOME } = process.env;
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'moorage');
}

/** The file of the store in a data folder; wrong usage where there is none. */
export function requireStore(dataDir: string): string {
  const file = join(dataDir, 'store.sqlite');
  if (!existsSync(file))
    throw new UsageError(`there is no store in ${dataDir}: name the host's folder with --data-dir`);
  return file;
}

/** Makes the folder if it is missing, and says in a sentence why it cannot be used if it cannot. */
export function prepareDataFolder(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = REASONS[code ?? ''] ?? String(code);
    throw new Error(`${folder} cannot be used: ${why}; change that, or use another --data-dir`, { cause });
  }
}

/** Not `recursive`: where mkdir fails with ENOENT although the parent exists, as in /proc, Node would retry for ever. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(folder)) throw error; // else another process has just made it
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'its disk is read-only',
  EACCES: 'you may not write to it',
  EPERM: 'you may not write to it',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'it, or something above it, is a file',
  EEXIST: 'it, or something above it, is a file',
  ENOENT: 'no folder can be made there',
};
