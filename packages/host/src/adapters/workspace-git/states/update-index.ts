import { existsSync, rmSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type ReadProgress, type StateId, WorkspaceError } from '../../../ports/workspace.js';
import { GitRefusal } from '../../shared/git/git.js';
import { joinRecords, recordReader, splitRecords } from '../../shared/git/records.js';
import type { Opened } from '../objects/objects.js';
import type { Shadow } from '../repository/shadow.js';
import { addFiles } from './add-files.js';
import { NewFiles } from './left-out.js';
import { pathBytes, pathText } from './trees.js';

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
  opened: Opened,
  changed: Changed | undefined,
  onProgress?: ReadProgress,
): Promise<number> {
  try {
    return await stage(opened, changed ?? (await findChanged(opened)), onProgress);
  } catch (error) {
    if (!(error instanceof GitRefusal)) throw error;
    return stage(opened, await findChanged(opened), onProgress); // a listed file may have vanished
  }
}

/** Hears of a file that differs while git looks for others; its path is relative to the folder. */
type OnFile = (path: string) => void;

/** Compares every file of the folder with the host's index, which holds that state if it is known. */
export async function findChanged(
  { shadow, objects }: Opened,
  inIndex?: StateId,
  onFile: OnFile = () => {},
): Promise<Changed> {
  const { folder, directory, refresh } = shadow;
  if (!existsSync(folder)) throw new WorkspaceError(`the folder ${folder} does not exist`);
  await refresh();
  // Nobody else writes this index: a lock is left from a killed git, and would block every scan from now on.
  rmSync(join(directory, 'index.lock'), { force: true });
  const [hasIndexChanged, listed] = await Promise.all([
    objects.ignoredInIndex.settle(shadow, inIndex),
    listChanged(shadow, onFile),
  ]);
  return { ...(hasIndexChanged ? await listChanged(shadow, onFile) : listed), hasIndexChanged };
}

async function stage(
  { shadow: { run }, objects: { placeholders } }: Opened,
  { gone, files, nested }: Changed,
  onProgress?: ReadProgress,
): Promise<number> {
  const { kept, replaced } = await placeholders.replace(files);
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

async function listChanged(shadow: Shadow, onFile: OnFile): Promise<Omit<Changed, 'hasIndexChanged'>> {
  const { repository, top, leftOut } = shadow;
  const prefix = pathBytes(repository?.prefix ?? '');
  const start = prefix === '' ? 0 : prefix.length + 1;
  const tracked = new Set<string>();
  await leftOut.keepIfSame(shadow);
  for (;;) {
    const listed = await list(shadow, start, tracked, onFile);
    if (!(listed instanceof NewFiles)) {
      for (const path of await trackedIn(shadow, leftOut.folders)) listed.files.add(path);
      return withoutBeyondLinks(top, listed);
    }
    const folders = listed.tooMany(leftOut.most / 2);
    const before = tracked.size;
    for (const path of await trackedIn(shadow, folders)) tracked.add(path);
    // What the user has added or checked out since the last scan is new to the host only. Without it there may be few.
    if (tracked.size === before) await leftOut.add(folders, prefix);
  }
}

/** Files in these folders that are in the user's index, but not in the host's. */
async function trackedIn({ repository, git, run, top }: Shadow, folders: readonly string[]): Promise<string[]> {
  if (!repository || folders.length === 0) return [];
  const isFew = folders.length <= MAX_FOLDER_ARGUMENTS;
  const names = isFew ? folders.map((folder) => posix.join(repository.prefix, pathText(folder))) : [repository.prefix];
  const args = ['ls-files', '-z', '--cached', '--full-name', '--'];
  args.push(...names.map((name) => `:(literal)${name === '.' ? '' : name}`));
  const [hosts, users] = await Promise.all([run(args), git.run(args, { cwd: top })]);
  const known = new Set(splitRecords(hosts));
  return splitRecords(users).filter((path) => !known.has(path));
}

/** Folders on one command line. Stays below what systems allow even if their paths are long. */
const MAX_FOLDER_ARGUMENTS = 100;

type Listed = Record<'gone' | 'files' | 'nested', Set<string>>;

/** What differs from the host's index; if there are too many new files, only where the first of them are. */
async function list(
  { run, repository, leftOut }: Shadow,
  start: number,
  tracked: ReadonlySet<string>,
  onFile: OnFile,
): Promise<Listed | NewFiles> {
  const listed: Listed = { gone: new Set(), files: new Set(), nested: new Set() };
  const fresh = new NewFiles();
  const enough = new AbortController();
  const take = (record: string) => {
    const [tag, path] = [record.slice(0, 1), record.slice(2)];
    if (tag === 'R') listed.gone.add(path);
    else if (path.endsWith('/')) listed.nested.add(path.slice(0, -1));
    else {
      if (tag === '?' && !tracked.has(path)) fresh.add(path.slice(start));
      listed.files.add(path);
      onFile(pathText(path.slice(start)));
    }
  };
  const read = recordReader(take);
  const onOutput = (chunk: Buffer) => {
    if (!enough.signal.aborted) read(chunk);
    if (fresh.total > leftOut.most) enough.abort();
  };
  const args = ['ls-files', '-t', '-z', '--modified', '--deleted', '--others', '--exclude-standard', '--full-name'];
  try {
    const folder = `:(literal)${repository?.prefix ?? ''}`;
    await run([...args, ...leftOut.arguments, '--', folder], { onOutput, signal: enough.signal });
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  }
  return fresh.total > leftOut.most ? fresh : listed;
}

async function withoutBeyondLinks(
  top: string,
  { gone, files, nested }: Listed,
): Promise<Omit<Changed, 'hasIndexChanged'>> {
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
