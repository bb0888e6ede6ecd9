import { mkdtempSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { UsageError } from '../usage-error.js';

/** The real path of a folder that a backup may become; wrong usage where it may not. */
export function requireTarget(folder: string, dataDir: string): string {
  const found = statSync(folder, { throwIfNoEntry: false });
  const parent = dirname(folder);
  // Not made: where a disk is not mounted, the backup would end up on the disk that it is to protect from.
  if (!found && !statSync(parent, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`there is no folder ${parent}: make it first, or name another one`);
  const target = found ? realpathSync(folder) : join(realpathSync(parent), basename(folder));
  const fromData = relative(realpathSync(dataDir), target);
  if (fromData !== '..' && !fromData.startsWith('../'))
    throw new UsageError(`${folder} is in the data folder itself: name a folder outside of it`);
  if (!found) return target;
  if (!found.isDirectory()) throw new UsageError(`${folder} is a file: name a new folder`);
  if (readdirSync(target).length > 0)
    throw new UsageError(`${folder} is not empty, and a backup overwrites nothing: name a new folder`);
  if (found.dev !== statSync(dirname(target)).dev)
    throw new UsageError(`${folder} is a disk of its own: name a new folder on it, such as ${join(folder, 'moorage')}`);
  return target;
}

/** A private folder beside the target, to be renamed to it. Its name says what it is if nobody is left to remove it. */
export function makeIncomplete(target: string): string {
  try {
    return mkdtempSync(join(dirname(target), `.${basename(target)}.incomplete-`));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`cannot write to ${dirname(target)} (${code}): change that, or name another folder`, { cause });
  }
}
