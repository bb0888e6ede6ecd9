import type { Conflicts } from '../../ports/user-index.js';
import type { Git } from '../shared/git/git.js';
import { MAX_PATH_ARGUMENTS } from './index-entries.js';

/** Finds conflicts in the whole index: those that git knows of, and markers that somebody staged. */
export async function findConflicts(git: Git, folder: string): Promise<Conflicts> {
  const top = (await git.run(['rev-parse', '--show-toplevel'], { cwd: folder })).toString().replace(/\n$/, '');
  const list = (args: readonly string[], accept: readonly number[] = []) =>
    git.run(args, { cwd: top, env: { GIT_LITERAL_PATHSPECS: '1' }, accept }).then(records);
  const unmerged = await list(['ls-files', '--unmerged', '-z']);
  const unresolved = [...new Set(unmerged.map((record) => record.slice(record.indexOf('\t') + 1)))];
  const head = await git.ask(['rev-parse', '--verify', '--quiet', 'HEAD'], top);
  if (head === undefined) return { unresolved, marked: [] }; // nothing can have been merged yet
  const staged = await list([
    'diff-index',
    '--cached',
    '--name-only',
    '--no-renames',
    '--diff-filter=AM',
    '-z',
    'HEAD',
  ]);
  const marked: string[] = [];
  for (let at = 0; at < staged.length; at += MAX_PATH_ARGUMENTS) {
    const paths = staged.slice(at, at + MAX_PATH_ARGUMENTS);
    const now = await list([...FIND_MARKERS, '--cached', '--', ...paths], NONE_FOUND);
    if (now.length === 0) continue;
    const before = await list([...FIND_MARKERS, 'HEAD', '--', ...now], NONE_FOUND);
    marked.push(...now.filter((path) => !before.includes(`HEAD:${path}`)));
  }
  return { unresolved, marked };
}

/** Finds text files with both the first and the last line of a conflict. */
const FIND_MARKERS = [
  ...['grep', '-z', '-I', '--basic-regexp', '--files-with-matches', '--full-name', '--no-textconv', '--all-match'],
  ...['-e', '^<<<<<<< ', '-e', '^>>>>>>> '],
];

const NONE_FOUND = [1];

function records(output: Buffer): string[] {
  return output.toString().split('\0').filter(Boolean);
}
