import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { createFile, type Entry, entryOf } from './entries.js';
import { isSystemError } from './system-errors.js';
import type { Unfinished } from './unfinished.js';

export interface Replacing {
  readonly old: BigIntStats | undefined;
  readonly createOnly: boolean;
  /** Rejects if the old file shall stay after all: bringing the new one to the disk takes long enough for others to write. */
  lastLook(): Promise<unknown>;
}

/** Puts a whole new file in the place of an entry. Whenever this is cut short, the old one is still there. */
export async function replace(entry: Entry, bytes: Uint8Array, how: Replacing, unfinished: Unfinished): Promise<void> {
  const made = temporary(entry);
  await unfinished.during(made, () => make(made, entry, bytes, how));
}

async function make(
  made: Entry,
  entry: Entry,
  bytes: Uint8Array,
  { old, createOnly, lastLook }: Replacing,
): Promise<void> {
  try {
    const handle = await createFile(made, old !== undefined);
    try {
      await handle.writeFile(bytes);
      if (old) await keepOwnerAndMode(handle, old);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await lastLook();
    await put(made, entry, createOnly);
  } catch (error) {
    await rm(made.path, { force: true });
    throw error;
  }
}

/** A name beside an entry that nothing has. */
export function temporary({ folder }: Entry): Entry {
  return entryOf(folder, `.ahpd-${randomUUID()}.tmp`);
}

/** Moves an entry to where another one is or is not, durably. With `createOnly` the system itself sees to it that none is. */
export async function put(made: Entry, target: Entry, createOnly: boolean): Promise<void> {
  if (createOnly) await linkOrReserve(made, target);
  else await rename(made.path, target.path);
  await syncFolder(target);
}

async function linkOrReserve(made: Entry, target: Entry): Promise<void> {
  try {
    await link(made.path, target.path);
    await rm(made.path);
  } catch (error) {
    // Some file systems have no links; an empty file of ours keeps the place then.
    if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    await (await createFile(target, true)).close();
    await rename(made.path, target.path);
  }
}

async function keepOwnerAndMode(handle: FileHandle, old: BigIntStats): Promise<void> {
  const { uid, gid } = await handle.stat({ bigint: true });
  if (uid !== old.uid || gid !== old.gid) await handle.chown(Number(old.uid), Number(old.gid)).catch(() => undefined);
  await handle.chmod(Number(old.mode) & 0o7777);
}

/** The new name is on the disk as well; a file system that cannot promise that is no reason to fail. */
async function syncFolder({ folder }: Entry): Promise<void> {
  try {
    const handle = await open(`${folder.path}/.`, constants.O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch {
    // said above
  }
}
