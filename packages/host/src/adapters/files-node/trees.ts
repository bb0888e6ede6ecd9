import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, readlink, rmdir, symlink, unlink } from 'node:fs/promises';
import { FilesError } from '../../ports/files.js';
import { createFile, type Entry, entryOf, openFile, openFolder } from './entries.js';
import { COPY_CHUNK_BYTES, MAX_TREE_DEPTH, MAX_TREE_ENTRIES } from './limits.js';

/** Counts the entries of one recursive operation and stops it at the limits. */
class Budget {
  #entries = MAX_TREE_ENTRIES;

  spend(depth: number, real: string): void {
    if (depth > MAX_TREE_DEPTH) {
      throw new FilesError('tooLarge', `${real} is too deep: the limit is ${MAX_TREE_DEPTH} folders.`);
    }
    if (this.#entries-- > 0) return;
    throw new FilesError('tooLarge', `There are more than ${MAX_TREE_ENTRIES} entries; stopped at ${real}.`);
  }
}

/** Copies a file, or a folder with everything in it. Copies links as links and skips special files. The target must not exist. */
export async function copyTree(from: Entry, to: Entry, depth = 0, budget = new Budget()): Promise<void> {
  budget.spend(depth, from.real);
  const stats = await lstat(from.path, { bigint: true });
  if (stats.isSymbolicLink()) await symlink(await readlink(from.path), to.path);
  else if (stats.isFile()) await copyFile(from, to);
  else if (stats.isDirectory()) {
    await mkdir(to.path, { mode: (Number(stats.mode) & 0o777) | 0o700 });
    await inside(from, (source) =>
      inside(to, async (target) => {
        for (const name of await readdir(source.path)) {
          await copyTree(entryOf(source, name), entryOf(target, name), depth + 1, budget);
        }
      }),
    );
  }
}

/** Removes an entry with everything in it. Folders are emptied through an open handle, so a swapped-in link is not followed. */
export async function removeTree(entry: Entry, depth = 0, budget = new Budget()): Promise<void> {
  budget.spend(depth, entry.real);
  const stats = await lstat(entry.path);
  if (!stats.isDirectory()) return unlink(entry.path);
  await inside(entry, async (folder) => {
    for (const name of await readdir(folder.path)) await removeTree(entryOf(folder, name), depth + 1, budget);
  });
  await rmdir(entry.path);
}

async function inside(entry: Entry, use: (folder: Awaited<ReturnType<typeof openFolder>>) => Promise<void>) {
  const folder = await openFolder(entry.path);
  try {
    await use(folder);
  } finally {
    await folder.close();
  }
}

async function copyFile(from: Entry, to: Entry): Promise<void> {
  const source = await openFile(from, constants.O_RDONLY);
  try {
    const stats = await source.stat({ bigint: true });
    const target = await createFile(to, true);
    try {
      await pump(source, target);
      await finish(target, stats);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function pump(source: FileHandle, target: FileHandle): Promise<void> {
  const buffer = Buffer.allocUnsafe(COPY_CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return;
    await target.writeFile(buffer.subarray(0, bytesRead));
  }
}

async function finish(target: FileHandle, { mode }: BigIntStats): Promise<void> {
  await target.chmod(Number(mode) & 0o777);
  await target.sync();
}
