import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, renameSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { EXECUTABLE, REGULAR, SYMLINK } from '../../ports/file-modes.js';
import type { CurrentFile } from '../../ports/folder-editor.js';
import type { FileVersion } from '../../ports/workspace.js';
import { blockingParent, deepestFolder, pathProblem } from './paths.js';

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

/** A file with its content, and the stats that later tell whether someone has written to it. */
export interface FileOnDisk {
  readonly version: FileVersion;
  readonly content: Buffer;
  readonly stats: BigIntStats;
}

export type PathState = { kind: 'found'; found: FileOnDisk } | Exclude<CurrentFile, { kind: 'file' }>;

/** What is at a path now. */
export async function readPath(fs: EditorFileSystem, folder: string, path: string, hash: string): Promise<PathState> {
  const problem = pathProblem(path);
  if (problem) return { kind: 'barred', why: problem };
  const blocked = await blockingParent(fs, folder, path);
  if (blocked?.kind === 'link') {
    return { kind: 'barred', why: `${blocked.path} is a symbolic link`, behindLink: blocked.path };
  }
  if (blocked) return { kind: 'absent' };
  const full = join(folder, path);
  const stats = await fs.lstat(full, { bigint: true }).catch(ignoreMissing);
  if (!stats || stats.isDirectory()) return { kind: 'absent', folder: await deepestFolder(fs, folder, path) };
  if (!stats.isSymbolicLink() && !stats.isFile()) return { kind: 'barred', why: 'it is neither a file nor a link' };
  try {
    const content = stats.isSymbolicLink() ? await fs.readlink(full, { encoding: 'buffer' }) : await fs.readFile(full);
    return { kind: 'found', found: { version: versionOf(path, content, stats, hash), content, stats } };
  } catch {
    return { kind: 'barred', why: 'it cannot be read' };
  }
}

/** Git's object id of a content. */
export function blobId(content: Uint8Array, hash: string): string {
  return createHash(hash).update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** Whether nobody has written to a file between two stats. */
export function untouched(before: BigIntStats, now: BigIntStats): boolean {
  return before.ino === now.ino && before.mtimeNs === now.mtimeNs && before.size === now.size;
}

export function sameVersion(one: FileVersion | undefined, other: FileVersion | undefined): boolean {
  return one?.contentId === other?.contentId && one?.mode === other?.mode;
}

function versionOf(path: string, content: Buffer, stats: BigIntStats, hash: string): FileVersion {
  const executable = (stats.mode & 0o100n) !== 0n;
  const mode = stats.isSymbolicLink() ? SYMLINK : executable ? EXECUTABLE : REGULAR;
  const permissions = stats.isSymbolicLink() ? undefined : Number(stats.mode & 0o777n);
  return {
    path,
    contentId: blobId(content, hash),
    mode,
    size: content.length,
    ...(permissions !== undefined && { permissions }),
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
