import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EditStep, FolderEditError } from '../../ports/folder-editor.js';
import { each } from '../../queues/each.js';
import { checkRoom, Exchange, type ExchangeContext, inOrder } from './exchange.js';
import { blobId, readPath, sameVersion } from './file-system.js';
import { makeParents, parentsOf, pruneParents, restrictFolders } from './paths.js';
import { Staging } from './staging.js';

type ReadContent = (id: string) => Promise<Uint8Array | undefined>;

/** Applies all steps or none. Rejects with `unfinished` if something failed and not every file could be restored. */
export async function applySteps(
  context: ExchangeContext,
  id: string,
  unordered: readonly EditStep[],
  read: ReadContent,
): Promise<void> {
  const steps = inOrder(unordered);
  const staging = new Staging(context, id);
  try {
    await checkRoom(context, steps);
    await context.modes.learn([...new Set(steps.flatMap(({ path }) => [...parentsOf(path), path]))]);
    await staging.make(); // fails if the folder exists: it would be someone else's
  } catch (error) {
    throw refused(error);
  }
  try {
    await staging.fill(steps, read);
  } catch (error) {
    await staging.remove().catch(() => undefined);
    throw refused(error);
  }
  const exchanges = steps.map((step) => new Exchange(context, staging, step));
  const removals = exchanges.filter(({ step }) => !step.to);
  try {
    for (const exchange of removals) await exchange.run(); // in order: the last removal in a folder removes the folder
    await each(exchanges.slice(removals.length), (exchange) => exchange.run());
    await each(exchanges, (exchange) => exchange.verify());
    await restrictFolders(context, steps);
    await syncFolders(context, steps);
  } catch (error) {
    await undoAll(exchanges, staging, error);
    throw refused(error);
  }
  await staging.remove().catch(() => undefined); // leftovers do no harm: git ignores the folder
}

/** Completes an attempt that a crash of the host interrupted. */
export async function settleSteps(
  context: ExchangeContext,
  id: string,
  unordered: readonly EditStep[],
  read: ReadContent,
): Promise<'finished' | 'rolledBack'> {
  const steps = inOrder(unordered);
  // Settling may have been interrupted as well. The latest attempt comes first, because it has set aside the latest files.
  const attempts = [backOf(id), againOf(id), id].map((attempt) => new Staging(context, attempt));
  for (const staging of attempts) {
    await restoreMissing(context, staging, steps);
    await restoreOverwritten(context, staging, steps);
  }
  for (const staging of attempts.slice(0, -1)) await clear(context, staging, steps);
  await pruneEmptied(context, steps);
  const states = await each(steps, async (step) => {
    const now = await readPath(context.fs, context.folder, step.path, context.hash);
    if (now.kind === 'barred') return 'other';
    const version = now.kind === 'found' ? now.found.version : undefined;
    if (sameVersion(version, step.to)) return 'to';
    return sameVersion(version, step.from) ? 'from' : 'other';
  });
  const left = steps.filter((_, index) => states[index] === 'from');
  const done = steps.filter((_, index) => states[index] === 'to');
  const outcome = await finish(context, id, { left, done, others: states.includes('other') }, read);
  for (const staging of attempts) await clear(context, staging, steps);
  return outcome;
}

const againOf = (id: string) => `${id}-again`;
const backOf = (id: string) => `${id}-back`;

async function finish(
  context: ExchangeContext,
  id: string,
  { left, done, others }: { left: EditStep[]; done: EditStep[]; others: boolean },
  read: ReadContent,
): Promise<'finished' | 'rolledBack'> {
  if (left.length === 0 && !others) return 'finished';
  if (done.length === 0) return 'rolledBack';
  if (!others) {
    try {
      await applySteps(context, againOf(id), left, read);
      return 'finished';
    } catch {
      // roll back instead
    }
  }
  await applySteps(context, backOf(id), done.map(reversed), read);
  return 'rolledBack';
}

function reversed({ path, from, to }: EditStep): EditStep {
  return { path, ...(to && { from: to }), ...(from && { to: from }) };
}

async function undoAll(exchanges: readonly Exchange[], staging: Staging, cause: unknown): Promise<void> {
  const failures: string[] = [];
  for (const exchange of exchanges.toReversed()) {
    await exchange.undo().catch(() => failures.push(exchange.step.path));
  }
  if (failures.length === 0) {
    await staging.remove().catch(() => undefined);
    return;
  }
  const names = failures.slice(0, 5).join(', ');
  throw new FolderEditError('unfinished', `${describe(cause)}; ${names} could not be put back yet`, { cause });
}

/** Moves back files that had been set aside, but not yet replaced, when the host died. */
async function restoreMissing(context: ExchangeContext, staging: Staging, steps: readonly EditStep[]): Promise<void> {
  const { fs, folder } = context;
  for (const { path, from, to } of steps) {
    const target = join(folder, path);
    if (!from || !to || (await fs.lstat(target).catch(() => undefined))) continue;
    if (!(await fs.lstat(staging.oldFile(path)).catch(() => undefined))) continue;
    await makeParents(context, path);
    await fs.rename(staging.oldFile(path), target);
  }
}

/**
 * Someone may have written to a file just as it was exchanged, and the host died before it noticed. Their work is then in
 * the staging folder; this puts it back where they wrote it.
 */
async function restoreOverwritten(
  context: ExchangeContext,
  staging: Staging,
  steps: readonly EditStep[],
): Promise<void> {
  const { fs, folder, hash } = context;
  for (const { path, from, to } of steps) {
    const aside = await contentIdOf(context, staging.oldFile(path));
    if (aside === undefined || aside === from?.contentId || aside === to?.contentId) continue;
    const now = await readPath(fs, folder, path, hash);
    if (now.kind === 'barred') continue;
    const version = now.kind === 'found' ? now.found.version : undefined;
    if (!sameVersion(version, from) && !sameVersion(version, to)) continue; // someone has written there since
    await makeParents(context, path);
    await fs.rename(staging.oldFile(path), join(folder, path));
  }
}

/** Removes empty folders that stand where a step needs a file: the host died after removing their last file. */
async function pruneEmptied({ fs, folder }: ExchangeContext, steps: readonly EditStep[]): Promise<void> {
  const files = new Set(steps.map(({ path }) => path));
  for (const { path } of steps) {
    if (!parentsOf(path).some((parent) => files.has(parent))) continue;
    if (!(await fs.lstat(join(folder, path)).catch(() => undefined))) await pruneParents(fs, folder, path);
  }
}

/** The content id of a file or a link; undefined if there is none. */
async function contentIdOf({ fs, hash }: ExchangeContext, file: string): Promise<string | undefined> {
  const found = await fs.lstat(file).catch(() => undefined);
  if (!found) return undefined;
  return blobId(await (found.isSymbolicLink() ? fs.readlink(file, { encoding: 'buffer' }) : fs.readFile(file)), hash);
}

/** Removes the staging folder of an attempt, unless it has a file whose content exists nowhere else. */
async function clear(context: ExchangeContext, staging: Staging, steps: readonly EditStep[]): Promise<void> {
  for (const { path, from, to } of steps) {
    const id = await contentIdOf(context, staging.oldFile(path));
    if (id === undefined || id === from?.contentId || id === to?.contentId) continue;
    if (id !== (await contentIdOf(context, join(context.folder, path)))) return;
  }
  await staging.remove().catch(() => undefined);
}

/** Makes renames durable by syncing the folders in which they happened. */
async function syncFolders({ fs, folder }: ExchangeContext, steps: readonly EditStep[]): Promise<void> {
  const folders = new Set(steps.map(({ path }) => dirname(join(folder, path))));
  await each([...folders], async (directory) => {
    if (!(await lstat(directory).catch(() => undefined))) return;
    const handle = await fs.open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

function refused(error: unknown): FolderEditError {
  if (error instanceof FolderEditError) return error;
  return new FolderEditError('refused', describe(error), { cause: error });
}

function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'there is no space left on the disk';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'there is no permission to write to a file or its folder';
    default:
      return message;
  }
}
