import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type FileAccess, type FileScope, FilesError } from '../../ports/files.js';

/** A name in a folder that is held open, so that it stays the same entry even if a folder above is replaced. */
export interface Entry {
  readonly folder: OpenFolder;
  readonly name: string;
  /** Its real path, for messages and for the scope. */
  readonly real: string;
  /** The path to use in system calls. On Linux it goes through the open folder. */
  readonly path: string;
}

/**
 * Opens the folder of a located path and checks the real path of the opened folder against the scope. A folder swapped for
 * a link before the check is noticed; one swapped afterwards has no effect, because the open folder is used.
 */
export async function withEntry<T>(
  real: string,
  access: FileAccess,
  scope: FileScope,
  use: (entry: Entry) => Promise<T>,
): Promise<T> {
  const folder = await openFolder(dirname(real));
  try {
    const entry = entryOf(folder, basename(real));
    expectAllowed(scope, access, entry.real);
    return await use(entry);
  } finally {
    await folder.close();
  }
}

export function expectAllowed(scope: FileScope, access: FileAccess, real: string): void {
  if (scope.may(access, real)) return;
  throw new FilesError('outside', `${real} is outside the folders that may be used here.`, { access });
}

export function entryOf(folder: OpenFolder, name: string): Entry {
  return { folder, name, real: join(folder.real, name), path: join(folder.path, name) };
}

export interface OpenFolder {
  readonly real: string;
  /** The path to use in system calls, as in `Entry`. */
  readonly path: string;
  close(): Promise<void>;
}

/** Opens a folder. Rejects for a link to a folder. */
export async function openFolder(path: string): Promise<OpenFolder> {
  const handle = await open(path, FOLDER_FLAGS);
  try {
    const real = await realPathOf(handle, path);
    return {
      real,
      path: HAS_HANDLE_PATHS ? handlePath(handle) : real,
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens a file. Rejects for a link, and does not block if the entry is a pipe without a writer. */
export function openFile({ path }: Entry, flags: number): Promise<FileHandle> {
  return open(path, flags | NOFOLLOW | NONBLOCK);
}

/** Creates a file with the default mode, or, if `isPrivate`, one that only the user can read until its mode is set. */
export function createFile({ path }: Entry, isPrivate: boolean): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;
  return open(path, flags, isPrivate ? 0o600 : 0o666);
}

/** On Linux, `/proc/self/fd` tells the real path of an open folder, and paths through it reach the folder's entries. */
const HAS_HANDLE_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');

/** Linux only; Node does not export it. Opens a folder without read permission, which a path through it does not need either. */
const O_PATH = 0o10000000;

const NONBLOCK = constants.O_NONBLOCK ?? 0; // Windows has neither flag
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const FOLDER_FLAGS = (HAS_HANDLE_PATHS ? O_PATH : constants.O_RDONLY) | (constants.O_DIRECTORY ?? 0) | NOFOLLOW;

async function realPathOf(handle: FileHandle, path: string): Promise<string> {
  if (HAS_HANDLE_PATHS) return readlink(handlePath(handle));
  // Elsewhere, the best that can be done is to check that the real path leads to the opened folder at this moment.
  const real = await realpath(path);
  const [opened, current] = [await handle.stat({ bigint: true }), await stat(real, { bigint: true })];
  if (opened.dev === current.dev && opened.ino === current.ino) return real;
  throw new FilesError('failed', `${path} was replaced during the operation; try again.`);
}

function handlePath(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}
