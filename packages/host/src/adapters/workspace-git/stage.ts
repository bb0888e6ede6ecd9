import { existsSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReadProgress, WorkspaceError } from '../../ports/workspace.js';
import { GitRefusal } from '../shared/git/git.js';
import { joinRecords, splitRecords } from '../shared/git/records.js';
import { addFiles } from './add-files.js';
import { settleIgnored } from './ignored.js';
import type { Shadow } from './shadow.js';
import type { StandIns } from './stand-ins.js';

/** The paths that are not as the index says, seen from the top. */
export interface Changed {
  readonly gone: readonly string[];
  readonly files: readonly string[];
  readonly nested: readonly string[];
  /** What is ignored now has changed the index itself. */
  readonly isIndexOther: boolean;
}

/** Makes the host's index say what every file of the folder is now. Says how many contents may have become a file each. */
export async function stageAll(
  shadow: Shadow,
  standIns: StandIns,
  changed: Changed | undefined,
  onProgress?: ReadProgress,
): Promise<number> {
  try {
    return await stage(shadow, standIns, changed ?? (await findChanged(shadow)), onProgress);
  } catch (error) {
    if (!(error instanceof GitRefusal)) throw error;
    return stage(shadow, standIns, await findChanged(shadow), onProgress); // a file may have gone between two looks
  }
}

/** What a look at every file finds. */
export async function findChanged(shadow: Shadow): Promise<Changed> {
  const { folder, directory, refresh } = shadow;
  if (!existsSync(folder)) throw new WorkspaceError(`the folder ${folder} does not exist`);
  await refresh();
  // Nobody else writes here: a lock is what a killed process left, and would keep this from ever seeing a change.
  await rm(join(directory, 'index.lock'), { force: true });
  const [isIndexOther, listed] = await Promise.all([settleIgnored(shadow), listChanged(shadow)]);
  return { ...(isIndexOther ? await listChanged(shadow) : listed), isIndexOther };
}

async function stage(
  { run }: Shadow,
  standIns: StandIns,
  { gone, files, nested }: Changed,
  onProgress?: ReadProgress,
): Promise<number> {
  const { kept, replaced } = await standIns.replace(files);
  await forget(run, gone);
  const loose = await addFiles(run, kept, onProgress);
  if (replaced.length > 0)
    await run(['update-index', '--replace', '-z', '--index-info'], { input: joinRecords(replaced) });
  // A repository in the folder is one entry, its commit. One without a commit is none, which is no failure.
  for (const path of nested) await run(['add', '--sparse', '--ignore-errors', '--', `:(literal)${path}`], ANY_OUTCOME);
  return loose;
}

const ANY_OUTCOME = { accept: [1, 128] };

async function listChanged({ run, repository, top }: Shadow): Promise<Omit<Changed, 'isIndexOther'>> {
  const list = ['ls-files', '-t', '-z', '--modified', '--deleted', '--others', '--exclude-standard', '--full-name'];
  const records = splitRecords(await run([...list, '--', `:(literal)${repository?.prefix ?? ''}`]));
  const gone = new Set<string>();
  const files = new Set<string>();
  const nested = new Set<string>();
  for (const record of records) {
    const [tag, path] = [record.slice(0, 1), record.slice(2)];
    if (tag === 'R') gone.add(path);
    else if (path.endsWith('/')) nested.add(path.slice(0, -1));
    else files.add(path);
  }
  // What is seen through a link is not there: git goes on to find it when a folder became a link.
  for (const path of await beyondLinks(top, files)) gone.add(path);
  for (const path of gone) files.delete(path);
  return { gone: [...gone], files: [...files], nested: [...nested] };
}

async function beyondLinks(top: string, paths: Iterable<string>): Promise<string[]> {
  const links = new Map<string, Promise<boolean>>();
  const isLink = (folder: string): Promise<boolean> => {
    const known = links.get(folder) ?? lookForLink(folder);
    links.set(folder, known);
    return known;
  };
  const lookForLink = async (folder: string): Promise<boolean> => {
    const slash = folder.lastIndexOf('/');
    if (slash > 0 && (await isLink(folder.slice(0, slash)))) return true;
    const full = Buffer.concat([Buffer.from(`${top}/`), Buffer.from(folder, 'latin1')]);
    return lstat(full).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
  };
  const beyond: string[] = [];
  for (const path of paths) {
    const slash = path.lastIndexOf('/');
    if (slash > 0 && (await isLink(path.slice(0, slash)))) beyond.push(path);
  }
  return beyond;
}

async function forget(run: Shadow['run'], paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await run(['update-index', '--force-remove', '-z', '--stdin'], { input: joinRecords(paths) });
}
