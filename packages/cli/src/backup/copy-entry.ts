import type { Stats } from 'node:fs';
import { copyFile, lstat, lutimes, mkdir, readdir, readlink, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';

export interface CopyOptions {
  /** Names that are left out, in any folder. */
  readonly leaveOut?: RegExp | undefined;
  readonly signal: AbortSignal;
  /** Called for each file that was copied, with its size. */
  readonly onFile: (bytes: number) => void;
  /** Called for each folder of the copy: its mode and time are left to the caller, since more may come into it. */
  readonly onFolder: (path: string, original: Stats) => void;
}

/**
 * Copies a file or a folder with modes and times, while others may be writing in it. What is in the copy already stays. What
 * is not there, or goes away meanwhile, is no error; sockets and the like are left out.
 */
export async function copyEntry(from: string, to: string, options: CopyOptions): Promise<void> {
  const found = await unlessGone(() => stat(from)); // the entry itself may be a link, to a larger disk for instance
  if (found) await copyByKind(from, to, found, options);
}

/** False when it was gone before all of it was copied. */
async function copyByKind(from: string, to: string, found: Stats, options: CopyOptions): Promise<boolean> {
  options.signal.throwIfAborted();
  if (found.isDirectory()) return copyFolder(from, to, found, options);
  if (!found.isFile() && !found.isSymbolicLink()) return true;
  if (await unlessGone(() => lstat(to))) return true;
  if (found.isSymbolicLink()) {
    const link = await unlessGone(() => readlink(from));
    if (link === undefined) return false;
    await symlink(link, to);
    await lutimes(to, found.atime, found.mtime);
  } else {
    if (!(await unlessGone(() => copyFile(from, to).then(() => true)))) return false;
    await utimes(to, found.atime, found.mtime);
  }
  options.onFile(found.size);
  return true;
}

async function copyFolder(from: string, to: string, found: Stats, options: CopyOptions): Promise<boolean> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  options.onFolder(to, found);
  for (let look = 0, isMissing = true; isMissing && look < MAX_LOOKS; look++) {
    const names = await unlessGone(() => readdir(from));
    if (!names) return false;
    isMissing = false;
    // In order: git moves objects from `objects/00` to `objects/ff` into `objects/pack`, and never back.
    for (const name of names.sort()) {
      if (options.leaveOut?.test(name)) continue;
      const path = join(from, name);
      const entry = await unlessGone(() => lstat(path));
      if (!entry || !(await copyByKind(path, join(to, name), entry, options))) isMissing = true;
    }
  }
  return true;
}

/**
 * What is gone may be there under another name: packs are joined, files renamed. So the folder is looked at again, and what
 * is new in it copied. More looks than this only see temporary files come and go.
 */
const MAX_LOOKS = 10;

/** Undefined when what the work reads is gone, or became something else. */
async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
