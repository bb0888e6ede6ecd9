import { convertedPaths } from '../shared/git/converted.js';
import { git } from '../shared/git/git.js';
import { joinRecords, splitRecords } from '../shared/git/records.js';
import type { Repository } from '../shared/git/repository.js';
import { copyIndex } from './copy-index.js';
import type { Shadow } from './shadow.js';

/** Starts an index from what git knows of the user's files already: then only those that changed since are read. */
export async function seedIndex(
  repository: Repository,
  folder: string,
  index: string,
  run: Shadow['run'],
): Promise<void> {
  const entries = await listEntries(folder);
  const copied = repository.prefix === '' && (await copyIndex(repository.index, index, run));
  // Of some files the user's index does not say which bytes are on disk, so they must be read.
  const unsure = copied
    ? await convertedPaths(
        repository,
        entries.map(({ path }) => path),
      )
    : undefined;
  const again = unsure ? entries.filter((entry) => entry.unwatched || unsure.has(entry.path)) : entries;
  await run(['update-index', '-z', '--index-info'], { input: joinRecords(again.map(({ line }) => line)) });
  const absent = again.filter((entry) => entry.absent).map(({ path }) => path);
  if (absent.length > 0)
    await run(['update-index', '-z', '--skip-worktree', '--stdin'], { input: joinRecords(absent) });
}

interface Entry {
  readonly path: string;
  /** As `update-index --index-info` takes it. */
  readonly line: string;
  /** Left out by a sparse checkout. */
  readonly absent: boolean;
  /** The user told git not to look at it. */
  readonly unwatched: boolean;
}

/** What the user's index holds below the folder, with paths from the top of the repository. */
async function listEntries(folder: string): Promise<Entry[]> {
  const listed = await git(['ls-files', '--full-name', '--stage', '-v', '-z'], { cwd: folder });
  return splitRecords(listed).map((record) => {
    const [tag = '', line] = [record.slice(0, 1), record.slice(2)];
    const path = line.slice(line.indexOf('\t') + 1);
    return { path, line, absent: tag.toUpperCase() === 'S', unwatched: tag !== tag.toUpperCase() };
  });
}
