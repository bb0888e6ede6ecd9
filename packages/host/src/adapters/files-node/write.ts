import { type BigIntStats, constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { type FileScope, FilesError, type FileWrite } from '../../ports/files.js';
import type { KeyedQueue } from '../../queues/keyed-queue.js';
import { applyWrite } from './apply-write.js';
import { etagOf, expectFile, statEntry } from './describe.js';
import { type Entry, expectAllowed, openFile, withEntry } from './entries.js';
import { locate, locateEntry } from './locate.js';
import { readEntry, tooLarge } from './read.js';
import { replace } from './replace.js';
import type { TemporaryFiles } from './temporary-files.js';

export async function write(
  path: string,
  scope: FileScope,
  change: FileWrite,
  queue: KeyedQueue,
  temporaryFiles: TemporaryFiles,
): Promise<void> {
  // With `createOnly` an existing link is an error as well, so a link is not followed.
  const { real, missing } = change.createOnly ? await locateEntry(path) : await locate(path);
  expectAllowed(scope, 'write', real);
  if (missing.length > (change.createOnly ? 0 : 1)) throw noParent(path);
  await queue.run(real, () => withEntry(real, 'write', scope, (entry) => writeEntry(entry, change, temporaryFiles)));
}

async function writeEntry(entry: Entry, change: FileWrite, temporaryFiles: TemporaryFiles): Promise<void> {
  const old = await statEntry(entry);
  if (old && change.createOnly) throw new FilesError('exists', `${entry.real} already exists.`);
  if (old) {
    expectFile(old, entry.real);
    await access(entry.path, constants.W_OK); // a rename would replace even a read-only file
  }
  expectMatch(entry, old, change);
  if (old && change.mode === 'append' && change.position === 0) return append(entry, change.data);
  const keepsSome = old && (change.mode !== 'truncate' || change.position !== 0);
  const existing = keepsSome ? (await readEntry(entry, change.maxBytes)).bytes : new Uint8Array();
  const bytes = applyWrite(existing, change);
  if (bytes.length > change.maxBytes) throw tooLarge(entry.real, bytes.length, change.maxBytes);
  const { createOnly } = change;
  const recheck = async () => change.ifMatch !== undefined && expectMatch(entry, await statEntry(entry), change);
  await replace(entry, bytes, { old, createOnly, recheck }, temporaryFiles);
}

function expectMatch({ real }: Entry, now: BigIntStats | undefined, { ifMatch }: FileWrite): void {
  if (ifMatch === undefined || ifMatch === (now && etagOf(now))) return;
  throw new FilesError('changed', `${real} ${now ? 'has changed meanwhile' : 'no longer exists'}.`);
}

/** With O_APPEND the system writes at the end even if other programs append at the same time. */
async function append(entry: Entry, data: Uint8Array): Promise<void> {
  const handle = await openFile(entry, constants.O_WRONLY | constants.O_APPEND);
  try {
    const before = await handle.stat({ bigint: true });
    expectFile(before, entry.real);
    let written = 0;
    try {
      while (written < data.length) written += (await handle.write(data, written)).bytesWritten;
      await handle.sync();
    } catch (error) {
      // Takes back a partial write, as on a full disk, unless another program has appended since.
      const { size } = await handle.stat({ bigint: true });
      if (size === before.size + BigInt(written)) await handle.truncate(Number(before.size)).catch(() => undefined);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

export function noParent(path: string): FilesError {
  return new FilesError('notFound', `The folder of ${path} does not exist; create it first.`);
}
