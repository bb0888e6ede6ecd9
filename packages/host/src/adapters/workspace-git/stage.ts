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

/** Paths that differ from the host's index, relative to the top. */
export interface Changed {
  readonly gone: readonly string[];
  readonly files: readonly string[];
  readonly nested: readonly string[];
  /** Changed ignore rules have added entries to the index or removed some. */
  readonly hasIndexChanged: boolean;
}

/** Brings the host's index up to date with the folder. Resolves to how many loose objects git may have written. */
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
    return stage(shadow, standIns, await findChanged(shadow), onProgress); // a listed file may have vanished
  }
}

/** Compares every file of the folder with the host's index. */
export async function findChanged(shadow: Shadow): Promise<Changed> {
  const { folder, directory, refresh } = shadow;
  if (!existsSync(folder)) throw new WorkspaceError(`the folder ${folder} does not exist`);
  await refresh();
  // Nobody else writes this index: a lock is left from a killed git, and would block every look from now on.
  await rm(join(directory, 'index.lock'), { force: true });
  const [hasIndexChanged, listed] = await Promise.all([settleIgnored(shadow), listChanged(shadow)]);
  return { ...(hasIndexChanged ? await listChanged(shadow) : listed), hasIndexChanged };
}

async function stage(
  { run }: Shadow,
  standIns: StandIns,
  { gone, files, nested }: Changed,
  onProgress?: ReadProgress,
): Promise<number> {
  const { kept, replaced } = await standIns.replace(files);
  await removeFromIndex(run, gone);
  const loose = await addFiles(run, kept, onProgress);
  if (replaced.length > 0)
    await run(['update-index', '--replace', '-z', '--index-info'], { input: joinRecords(replaced) });
  // A nested repository is one entry, its commit. One without a commit has none, which is not an error. Not with
  // `git add`, which starts another git in it, with the settings and filters of that repository.
  const add = ['update-index', '--add', '--replace', '-z', '--stdin'];
  for (const path of nested) await run(add, { input: joinRecords([path]), ...ANY_OUTCOME });
  return loose;
}

const ANY_OUTCOME = { accept: [1, 128] };

async function listChanged({ run, repository, top }: Shadow): Promise<Omit<Changed, 'hasIndexChanged'>> {
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
  // Git still finds the files of a folder that has become a link, but they are gone from this folder.
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

async function removeFromIndex(run: Shadow['run'], paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await run(['update-index', '--force-remove', '-z', '--stdin'], { input: joinRecords(paths) });
}
