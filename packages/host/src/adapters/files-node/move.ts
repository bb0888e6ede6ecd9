import type { BigIntStats } from 'node:fs';
import { rename } from 'node:fs/promises';
import { isInside } from '../../paths/inside.js';
import { type FileScope, FilesError } from '../../ports/files.js';
import type { KeyedQueue } from '../../queues/keyed-queue.js';
import { look } from './describe.js';
import { type Entry, expectAllowed, withEntry } from './entries.js';
import { locate, locateEntry, type Place } from './locate.js';
import { put, temporary } from './replace.js';
import { isSystemError } from './system-errors.js';
import { copyTree, removeTree } from './trees.js';
import type { Unfinished } from './unfinished.js';
import { noParent } from './write.js';

/** Copies what a path leads to. It is put together beside the destination, so that nobody sees half of it. */
export async function copy(source: string, destination: string, scope: FileScope, options: Overwriting): Promise<void> {
  const from = await locate(source);
  expectAllowed(scope, 'read', from.real);
  if (from.missing.length > 0) throw new FilesError('notFound', `${source} does not exist.`);
  const to = await locate(destination);
  expectAllowed(scope, 'write', to.real);
  if (to.missing.length > 1) throw noParent(destination);
  await withEntry(from.real, 'read', scope, (found) =>
    onto(to, found, scope, options, (target, createOnly) => copyOnto(found, target, createOnly, options.unfinished)),
  );
}

/** Moves an entry; a link moves itself. Between file systems it is a copy and a removal. */
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
        await settle(found, target, createOnly);
      } catch (error) {
        if (!isSystemError(error, 'EXDEV')) throw error;
        await copyOnto(found, target, createOnly, options.unfinished);
        await removeTree(found);
      }
    }),
  );
}

export interface Overwriting {
  readonly failIfExists: boolean;
  readonly queue: KeyedQueue;
  readonly unfinished: Unfinished;
}

/** Checks whether something may go to a place, and does it when nobody else is writing there. */
async function onto(
  to: Place,
  from: Entry,
  scope: FileScope,
  { failIfExists, queue }: Overwriting,
  act: (target: Entry, createOnly: boolean) => Promise<void>,
): Promise<void> {
  const source = await look(from);
  if (!source) throw new FilesError('notFound', `${from.real} does not exist.`);
  await queue.run(to.real, () =>
    withEntry(to.real, 'write', scope, async (target) => {
      const there = await look(target);
      if (there && failIfExists) throw new FilesError('exists', `${target.real} exists already.`);
      expectReplaceable(source, from, there, target);
      await act(target, failIfExists && !source.isDirectory());
    }),
  );
}

function expectReplaceable(source: BigIntStats, from: Entry, there: BigIntStats | undefined, target: Entry): void {
  const isSame = there && there.dev === source.dev && there.ino === source.ino;
  const isWithin = source.isDirectory() && isInside(target.real, from.real);
  if (isSame || target.real === from.real || isWithin) {
    throw new FilesError('intoItself', `${target.real} is ${from.real} itself or inside of it.`);
  }
  if (there?.isDirectory()) throw new FilesError('isFolder', `${target.real} is a folder, which is not overwritten.`);
  if (there && source.isDirectory()) {
    throw new FilesError('notFolder', `${target.real} is a file, which a folder does not overwrite.`);
  }
}

async function copyOnto(from: Entry, target: Entry, createOnly: boolean, unfinished: Unfinished): Promise<void> {
  const made = temporary(target);
  await unfinished.during(made, async () => {
    try {
      await copyTree(from, made);
      await settle(made, target, createOnly);
    } catch (error) {
      await removeTree(made).catch(() => undefined);
      throw error;
    }
  });
}

/** Only files can be put where nothing is with the system's own guarantee; folders were looked for just before. */
async function settle(made: Entry, target: Entry, createOnly: boolean): Promise<void> {
  if (createOnly) return put(made, target, true);
  await rename(made.path, target.path);
}
