import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { copySqliteStore, type Recovery } from '@moorage/host';
import { plural } from '../client/output/plural.js';
import { requireStore } from '../data-folder.js';
import { recover } from '../recover/recover.js';
import { UsageError } from '../usage-error.js';
import { copyEntry } from './copy-entry.js';
import { megabytes } from './megabytes.js';
import { makeIncomplete, requireTarget } from './target.js';

/** What was copied. Scripts read it: extend it, but do not change it. */
export interface Backup {
  readonly folder: string;
  readonly dataDir: string;
  readonly sessions: number;
  readonly chats: number;
  readonly files: number;
  readonly bytes: number;
  /** What the store has and nobody can read, one sentence each: the copy has it, too. */
  readonly unreadable: readonly string[];
}

export interface BackupOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** Copies a data folder. The target appears under its name only once all of it is there; until then, failing leaves nothing. */
export async function backUp(dataDir: string, folder: string, options: BackupOptions): Promise<Backup> {
  const store = requireStore(dataDir);
  const target = requireTarget(folder, dataDir);
  const incomplete = makeIncomplete(target);
  try {
    const backup = await fill(incomplete, { dataDir, store }, options);
    renameSync(incomplete, target);
    return { folder: target, dataDir, ...backup };
  } catch (error) {
    rmSync(incomplete, { recursive: true, force: true, maxRetries: 3 });
    if (error instanceof UsageError) throw error;
    // Of a folder that is gone again, only the original is worth naming.
    const reason = reasonOf(error).replaceAll(checkingIn(incomplete), dataDir).replaceAll(incomplete, dataDir);
    throw new Error(`no backup was made, and nothing of it was kept: ${reason}`, { cause: error });
  }
}

async function fill(
  incomplete: string,
  { dataDir, store }: { readonly dataDir: string; readonly store: string },
  { signal, onProgress }: BackupOptions,
): Promise<Omit<Backup, 'folder' | 'dataDir'>> {
  const storeCopy = join(incomplete, 'store.sqlite');
  const folders = new Map<string, Stats>();
  let [files, bytes] = [0, 0];
  const counted = (size: number) => {
    files++;
    bytes += size;
  };
  const copy = (name: string) =>
    copyEntry(join(dataDir, name), join(incomplete, name), {
      leaveOut: LEFT_OUT[name],
      signal,
      onFile: (size) => {
        counted(size);
        onProgress(`copying ${name}: ${plural(files, 'file')}, ${megabytes(bytes)}`);
      },
      onFolder: (path, original) => folders.set(path, original),
    });

  // Before the store, so that contents which the host purges meanwhile are there; and after it, so that the newest are.
  await copy('workspaces');
  onProgress(`copying the store: ${megabytes(statSync(store).size)}`);
  await unlessInterrupted(signal);
  copySqliteStore(store, storeCopy);
  counted(statSync(storeCopy).size);
  for (const name of ['workspaces', ...entriesOf(dataDir)]) await copy(name);

  onProgress('checking the copy of the store');
  await unlessInterrupted(signal);
  const { sessions, chats, losses } = check(incomplete);
  await unlessInterrupted(signal);
  // Only now: until here everything may have to be removed again, and that takes folders that can be written.
  for (const [path, { mode, atime, mtime }] of [...folders].reverse()) {
    utimesSync(path, atime, mtime);
    chmodSync(path, mode & 0o7777);
  }
  return { sessions, chats, files, bytes, unreadable: losses };
}

/** What is worth keeping besides the store and the contents. The rest is of the running host, or made again. */
function entriesOf(dataDir: string): string[] {
  const grants = readdirSync(dataDir).filter((name) => /^always-allowed-.*\.json$/.test(name));
  // A repository that may be in use is copied twice, so that the objects of all refs in the first copy are there.
  return [
    'worktrees',
    'agents',
    'token',
    'people.json',
    'audit.jsonl',
    'push-keys.json',
    ...grants,
    'playground',
    'playground',
  ];
}

/** What git and the host are writing at the moment: it would be in the way of the next host. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  workspaces: /^(scratch|in-use|tmp_.*|.*\.lock)$/,
  playground: /^index\.lock$/,
};

/** Checks a copy of the copy, since checking brings a store to the newest format and leaves a lock beside it. */
function check(incomplete: string): Recovery {
  const folder = checkingIn(incomplete);
  mkdirSync(folder, { mode: 0o700 });
  copyFileSync(join(incomplete, 'store.sqlite'), join(folder, 'store.sqlite'), constants.COPYFILE_FICLONE);
  const { isWhole, lines, recovery } = recover(folder, true);
  // Of a damaged file an earlier backup is better. What is only too large to be read is named, and in the copy.
  const { losses, tooLarge } = recovery;
  const isOnlyTooLarge = tooLarge.length > 0 && tooLarge.length === losses.length;
  if (!isWhole && !isOnlyTooLarge) throw new Error(lines.join('\n'));
  rmSync(folder, { recursive: true });
  return recovery;
}

function checkingIn(incomplete: string): string {
  return join(incomplete, 'checking');
}

/** SQLite does its work in one go; signals are noticed only in between. */
async function unlessInterrupted(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

function reasonOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || (cause as { errcode?: number })?.errcode === SQLITE_FULL;
  return isFull ? 'the disk is full. Free space, or use a folder on another disk.' : message;
}

const SQLITE_FULL = 13;
