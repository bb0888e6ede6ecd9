import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { createFile, type Entry, entryOf } from './entries.js';
import { isSystemError } from './system-errors.js';
import type { TemporaryFiles } from './temporary-files.js';

export interface ReplaceOptions {
  readonly old: BigIntStats | undefined;
  readonly createOnly: boolean;
  /** Called just before the new file takes the old one's place; rejects if someone has written to the old one meanwhile. */
  recheck(): Promise<unknown>;
}

/** Replaces a file atomically: if this is interrupted, the old file is still there. */
export async function replace(
  entry: Entry,
  bytes: Uint8Array,
  options: ReplaceOptions,
  temporaryFiles: TemporaryFiles,
): Promise<void> {
  const replacement = temporary(entry);
  await temporaryFiles.during(replacement, () => writeAndRename(replacement, entry, bytes, options));
}

async function writeAndRename(
  replacement: Entry,
  entry: Entry,
  bytes: Uint8Array,
  { old, createOnly, recheck }: ReplaceOptions,
): Promise<void> {
  try {
    const handle = await createFile(replacement, old !== undefined);
    try {
      await handle.writeFile(bytes);
      if (old) await keepOwnerAndMode(handle, old);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await recheck();
    await put(replacement, entry, createOnly);
  } catch (error) {
    await rm(replacement.path, { force: true });
    throw error;
  }
}

/** An unused name in the same folder. */
export function temporary({ folder }: Entry): Entry {
  return entryOf(folder, `.moorage-${randomUUID()}.tmp`);
}

/** Renames a file and makes the new name durable. With `createOnly` the system itself guarantees that nothing is overwritten. */
export async function put(source: Entry, target: Entry, createOnly: boolean): Promise<void> {
  if (createOnly) await linkOrReserve(source, target);
  else await rename(source.path, target.path);
  await syncFolder(target);
}

async function linkOrReserve(source: Entry, target: Entry): Promise<void> {
  try {
    await link(source.path, target.path);
    await rm(source.path);
  } catch (error) {
    // Some file systems have no hard links. There, an empty file reserves the name.
    if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    await (await createFile(target, true)).close();
    await rename(source.path, target.path);
  }
}

async function keepOwnerAndMode(handle: FileHandle, old: BigIntStats): Promise<void> {
  const { uid, gid } = await handle.stat({ bigint: true });
  if (uid !== old.uid || gid !== old.gid) await handle.chown(Number(old.uid), Number(old.gid)).catch(() => undefined);
  await handle.chmod(Number(old.mode) & 0o7777);
}

/** Makes a new name in the folder durable. */
async function syncFolder({ folder }: Entry): Promise<void> {
  try {
    const handle = await open(`${folder.path}/.`, constants.O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch {
    // Some file systems cannot sync a folder. The write itself has succeeded.
  }
}
