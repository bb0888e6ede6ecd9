import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type FileAccess, type FileScope, FilesError } from '../../ports/files.js';

/** One name in a folder that is held open: what the path to that folder means from now on does not matter. */
export interface Entry {
  readonly folder: OpenFolder;
  readonly name: string;
  /** Where it really is, for people and for the scope. */
  readonly real: string;
  /** To be given to the system. It goes through the open folder where the system can do that. */
  readonly path: string;
}

/**
 * Opens the folder of a located path and asks the scope about where it turned out to be. Whoever swaps a folder for a
 * link before that is found out, and whoever does it later changes nothing for us.
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
  throw new FilesError('outside', `${real} is outside of what may be used here.`, { access });
}

export function entryOf(folder: OpenFolder, name: string): Entry {
  return { folder, name, real: join(folder.real, name), path: join(folder.path, name) };
}

/** A folder that is held open. */
export interface OpenFolder {
  readonly real: string;
  /** The way to its entries. */
  readonly path: string;
  close(): Promise<void>;
}

/** Opens what is a folder itself and not a link to one. */
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

/** Opens the file of an entry, if that is not a link. Never waits, as a pipe without a writer would make it. */
export function openFile({ path }: Entry, flags: number): Promise<FileHandle> {
  return open(path, flags | NOFOLLOW | NONBLOCK);
}

/** Makes a file that nobody else may read until it has the mode that it is to have, or one like any new file. */
export function createFile({ path }: Entry, isPrivate: boolean): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;
  return open(path, flags, isPrivate ? 0o600 : 0o666);
}

/** Linux shows where an open file is, and leads through it to what is in it. */
const HAS_HANDLE_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');

/** Of Linux; Node has no name for it. Needs no right to read the folder, as walking through it does not either. */
const O_PATH = 0o10000000;

const NONBLOCK = constants.O_NONBLOCK ?? 0; // neither is there on Windows
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const FOLDER_FLAGS = (HAS_HANDLE_PATHS ? O_PATH : constants.O_RDONLY) | (constants.O_DIRECTORY ?? 0) | NOFOLLOW;

async function realPathOf(handle: FileHandle, path: string): Promise<string> {
  if (HAS_HANDLE_PATHS) return readlink(handlePath(handle));
  // Elsewhere only the moment is checked: what is at the real path now is what was opened.
  const real = await realpath(path);
  const [opened, there] = [await handle.stat({ bigint: true }), await stat(real, { bigint: true })];
  if (opened.dev === there.dev && opened.ino === there.ino) return real;
  throw new FilesError('failed', `${path} was replaced while it was looked at; try again.`);
}

function handlePath(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}
