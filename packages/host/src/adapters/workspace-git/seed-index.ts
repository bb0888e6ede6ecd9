import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import { git } from './git.js';
import { joinRecords, splitRecords } from './records.js';
import type { Repository } from './repository.js';

type Run = (args: readonly string[], options?: { readonly input?: Buffer }) => Promise<Buffer>;

/** Starts an index from what git knows of the user's files already: then only those that changed since are read. */
export async function seedIndex(repository: Repository, folder: string, index: string, run: Run): Promise<void> {
  const entries = await listEntries(folder);
  const copied = repository.prefix === '' && (await copyIndex(repository.index, index, run));
  // Of some files the user's index does not say which bytes are on disk, so they must be read.
  const unsure = copied ? await convertedPaths(folder, entries) : undefined;
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

/** A copy keeps what git knows of each file; false for an index that is spread over several files. */
async function copyIndex(from: string, to: string, run: Run): Promise<boolean> {
  try {
    const { atime, mtimeMs } = await stat(from);
    await copyFile(from, to);
    // Git distrusts files that are as young as the index; a younger copy would hide an edit just after the last commit.
    await utimes(to, atime, Math.floor(mtimeMs / 1000));
    await run(['ls-files', '--cached', '-z']);
    return true;
  } catch {
    await rm(to, { force: true });
    return false;
  }
}

const CONVERTING = ['text', 'crlf', 'eol', 'ident', 'filter', 'working-tree-encoding'];

/** The files whose content in the repository may differ from their bytes on disk. */
async function convertedPaths(folder: string, entries: readonly Entry[]): Promise<Set<string>> {
  const paths = entries.map(({ path }) => path);
  const autocrlf = await git(['config', '--get', 'core.autocrlf'], { cwd: folder, accept: [1] });
  if (!['', 'false'].includes(autocrlf.toString().trim())) return new Set(paths);
  const fields = splitRecords(
    await git(['check-attr', '-z', '--stdin', ...CONVERTING], {
      cwd: folder,
      input: joinRecords(paths),
    }),
  );
  const converted = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , value = ''] = fields.slice(at, at + 3);
    if (value !== 'unspecified' && value !== 'unset') converted.add(path);
  }
  return converted;
}
