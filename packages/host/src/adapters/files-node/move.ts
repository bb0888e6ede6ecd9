import type { BigIntStats } from 'node:fs';
import { rename } from 'node:fs/promises';
import { isInside } from '../../paths/inside.js';
import { type FileScope, FilesError } from '../../ports/files.js';
import type { KeyedQueue } from '../../queues/keyed-queue.js';
import { statEntry } from './describe.js';
import { type Entry, expectAllowed, withEntry } from './entries.js';
import { type Location, locate, locateEntry } from './locate.js';
import { put, temporary } from './replace.js';
import { isSystemError } from './system-errors.js';
import type { TemporaryFiles } from './temporary-files.js';
import { copyTree, removeTree } from './trees.js';
import { noParent } from './write.js';

/** Copies what a path leads to. The copy is made beside the destination and then renamed, so that nobody sees half of it. */
export async function copy(source: string, destination: string, scope: FileScope, options: Overwriting): Promise<void> {
  const from = await locate(source);
  expectAllowed(scope, 'read', from.real);
  if (from.missing.length > 0) throw new FilesError('notFound', `${source} does not exist.`);
  const to = await locate(destination);
  expectAllowed(scope, 'write', to.real);
  if (to.missing.length > 1) throw noParent(destination);
  await withEntry(from.real, 'read', scope, (found) =>
    onto(to, found, scope, options, (target, createOnly) =>
      copyOnto(found, target, createOnly, options.temporaryFiles),
    ),
  );
}

/** Moves an entry; of a link, the link itself. Between file systems, it copies and then removes. */
export async function move(source: string, destination: string, scope: FileScope, options: Overwriting): Promise<void> {
  const from = await locateEntry(source);
  expectAllowed(scope, 'remove', from.real);
  const to = await locateEntry(destination);
  expectAllowed(scope, 'write', to.real);
  if (from.missing.length > 0) throw new FilesError('notFound', `${source} does not exist.`);
  if (to.missing.length > 0) throw noParent(destination);
  await withEntry(from.real, 'remove', scope, (found) =>
    onto(to, found, scope, options, async (target, createOnly) => {
      try {
        await renameOnto(found, target, createOnly);
      } catch (error) {
        if (!isSystemError(error, 'EXDEV')) throw error;
        await copyOnto(found, target, createOnly, options.temporaryFiles);
        await removeTree(found);
      }
    }),
  );
}

export interface Overwriting {
  readonly failIfExists: boolean;
  readonly queue: KeyedQueue;
  readonly temporaryFiles: TemporaryFiles;
}

/** Checks that the source may go to the destination, and acts while no other call writes there. */
async function onto(
  to: Location,
  from: Entry,
  scope: FileScope,
  { failIfExists, queue }: Overwriting,
  act: (target: Entry, createOnly: boolean) => Promise<void>,
): Promise<void> {
  const source = await statEntry(from);
  if (!source) throw new FilesError('notFound', `${from.real} does not exist.`);
  await queue.run(to.real, () =>
    withEntry(to.real, 'write', scope, async (target) => {
      const existing = await statEntry(target);
      if (existing && failIfExists) throw new FilesError('exists', `${target.real} already exists.`);
      expectReplaceable(source, from, existing, target);
      await act(target, failIfExists && !source.isDirectory());
    }),
  );
}

function expectReplaceable(source: BigIntStats, from: Entry, existing: BigIntStats | undefined, target: Entry): void {
  const isSame = existing && existing.dev === source.dev && existing.ino === source.ino;
  const isWithin = source.isDirectory() && isInside(target.real, from.real);
  if (isSame || target.real === from.real || isWithin) {
    throw new FilesError('intoItself', `${target.real} is ${from.real} itself or inside it.`);
  }
  if (existing?.isDirectory()) {
    throw new FilesError('isFolder', `${target.real} is a folder; folders are not overwritten.`);
  }
  if (existing && source.isDirectory()) {
    throw new FilesError('notFolder', `${target.real} is a file; a folder cannot overwrite it.`);
  }
}

async function copyOnto(
  from: Entry,
  target: Entry,
  createOnly: boolean,
  temporaryFiles: TemporaryFiles,
): Promise<void> {
  const copied = temporary(target);
  await temporaryFiles.during(copied, async () => {
    try {
      await copyTree(from, copied);
      await renameOnto(copied, target, createOnly);
    } catch (error) {
      await removeTree(copied).catch(() => undefined);
      throw error;
    }
  });
}

/** Only for files can the system guarantee that nothing is overwritten; for folders, the caller has just checked. */
async function renameOnto(source: Entry, target: Entry, createOnly: boolean): Promise<void> {
  if (createOnly) return put(source, target, true);
  await rename(source.path, target.path);
}
