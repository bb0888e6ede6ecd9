import { randomUUID } from 'node:crypto';
import { type BigIntStats, closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { chmod, copyFile, open, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderEditError } from '../../ports/folder-editor.js';
import { copyIndexFile } from '../shared/git/copy-index-file.js';
import type { Scratch } from '../shared/git/scratch.js';

/**
 * Changes an index in several commands, as a whole or not at all. They work on a copy, which then takes the index's
 * place under git's own lock, if nobody has changed the index meanwhile.
 */
export async function exchangeIndex(
  index: string,
  scratch: Scratch,
  change: (copy: string, folder: string) => Promise<void>,
): Promise<void> {
  const target = await realpath(index).catch(() => index);
  await scratch.use(async (folder) => {
    const copy = join(folder, 'index');
    const before = statOf(target);
    if (before) await copyIndexFile(target, copy);
    await change(copy, folder);
    // Beside the index, because a rename does not lead from one disk to another.
    const next = `${target}.moorage-${randomUUID()}`;
    try {
      await copyFile(copy, next);
      if (before) await chmod(next, Number(before.mode & 0o777n));
      await sync(next);
      replaceIndex(next, target, before);
    } finally {
      await rm(next, { force: true });
    }
  });
}

/** Synchronous: if the host were killed meanwhile, its lock would stay and keep the user's git out. */
function replaceIndex(next: string, target: string, before: BigIntStats | undefined): void {
  const lock = `${target}.lock`;
  closeSync(openSync(lock, 'wx')); // fails with EEXIST if git holds it; that is explained like git's own complaint
  try {
    const now = statOf(target);
    if (now?.ino !== before?.ino || now?.mtimeNs !== before?.mtimeNs || now?.size !== before?.size)
      throw new FolderEditError('refused', 'the index changed at the same moment; try again');
    renameSync(next, target);
  } finally {
    rmSync(lock, { force: true });
  }
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
