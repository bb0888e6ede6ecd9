import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { convertedPaths } from '../../shared/git/converted.js';
import type { Git } from '../../shared/git/git.js';
import { joinRecords, splitRecords } from '../../shared/git/records.js';
import type { Repository } from '../../shared/git/repository.js';
import { copyIndex } from './copy-index.js';
import type { Shadow } from './shadow.js';

/**
 * Starts the host's index from the user's, so that only files that changed since need to be read. It gets its name when it is
 * complete: a copy alone would hide changes of converted files, and of those that the user told git not to look at.
 */
export async function seedIndex(
  git: Git,
  repository: Repository,
  folder: string,
  index: string,
  run: Shadow['run'],
): Promise<void> {
  const seed = `${index}.seed`;
  // Left from a host or a git that was killed.
  for (const leftover of [seed, `${seed}.lock`]) await rm(leftover, { force: true });
  await fillSeed(git, repository, folder, seed, run);
  if (existsSync(seed)) await rename(seed, index); // git writes none where there is nothing
}

async function fillSeed(
  git: Git,
  repository: Repository,
  folder: string,
  index: string,
  run: Shadow['run'],
): Promise<void> {
  const entries = await listEntries(git, folder);
  const copied = repository.prefix === '' && (await copyIndex(repository.index, index, run));
  // For converted files the user's index does not say which bytes are on disk, so they must be read.
  const converted = copied
    ? await convertedPaths(
        git,
        repository,
        entries.map(({ path }) => path),
      )
    : undefined;
  const unsure = converted ? entries.filter((entry) => entry.unwatched || converted.has(entry.path)) : entries;
  if (unsure.length === 0 && copied) return;
  await run(['update-index', '-z', '--index-info'], {
    index,
    input: joinRecords(unsure.map(({ line }) => line)),
  });
  const absent = unsure.filter((entry) => entry.absent).map(({ path }) => path);
  if (absent.length > 0)
    await run(['update-index', '-z', '--skip-worktree', '--stdin'], { index, input: joinRecords(absent) });
}

interface Entry {
  readonly path: string;
  /** In the format of `update-index --index-info`. */
  readonly line: string;
  /** Left out by a sparse checkout. */
  readonly absent: boolean;
  /** The user told git not to look at this file (`--assume-unchanged`). */
  readonly unwatched: boolean;
}

/** The entries of the user's index below the folder, with paths relative to the top of the repository. */
async function listEntries(git: Git, folder: string): Promise<Entry[]> {
  const listed = await git.run(['ls-files', '--full-name', '--stage', '-v', '-z'], { cwd: folder });
  return splitRecords(listed).map((record) => {
    const [tag = '', line] = [record.slice(0, 1), record.slice(2)];
    const path = line.slice(line.indexOf('\t') + 1);
    return { path, line, absent: tag.toUpperCase() === 'S', unwatched: tag !== tag.toUpperCase() };
  });
}
