import { join } from 'node:path';
import { FolderEditError } from '../../ports/folder-editor.js';
import type { IndexEntries } from '../../ports/user-index.js';
import type { RewrittenCommit } from '../../ports/user-repository.js';
import type { Git } from '../shared/git/git.js';
import { joinRecords } from '../shared/git/records.js';
import { findRepository, type Repository } from '../shared/git/repository.js';
import type { Scratch } from '../shared/git/scratch.js';
import { pathArguments, pick } from './index-entries.js';
import { MAX_REWRITTEN_COMMITS } from './limits.js';
import { readHead } from './move-head.js';
import { unfinishedIn } from './unfinished.js';

/** The commits from this one to the newest, oldest first. Refuses if they cannot be rewritten without harm to others. */
export async function rewritable(git: Git, folder: string, name: string): Promise<readonly string[]> {
  const unfinished = await unfinishedIn(git, folder);
  if (unfinished) throw refused(`a ${unfinished} is not finished; finish it with git`);
  const first = await git.ask(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], folder);
  const { branch } = await readHead(git, folder);
  if (branch === undefined) throw refused('no branch is checked out');
  if (!first || (await git.ask(['merge-base', first, 'HEAD'], folder)) !== first)
    throw refused(`${branch} has no commit ${name}`);
  const commits = await linearHistory(git, folder, first);
  const refs = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const holders = await git.ask(['for-each-ref', '--format=%(refname)', '--contains', first, ...refs], folder);
  const other = holders?.split('\n').find((ref) => ref !== `refs/heads/${branch}`);
  if (other !== undefined) throw refused(`${other.replace(/^refs\/[a-z]+\//, '')} has the commit as well`);
  for (const commit of commits) {
    if (/^gpgsig/m.test((await headerOf(git, folder, commit)).header))
      throw refused(`${commit.slice(0, SHORT)} is signed; use git rebase`);
  }
  return commits;
}

export async function entriesIn(
  git: Git,
  folder: string,
  commit: string,
  paths: readonly string[],
): Promise<IndexEntries> {
  const listed = await git.run(['ls-tree', '-r', '-z', commit, ...pathArguments(paths)], { cwd: folder });
  return pick(paths, listed, ([mode = '', , id = '']) => ({ mode, id }));
}

/** Author, date and message of each commit stay as they are, unless a message is given. */
export async function rewrite(
  git: Git,
  folder: string,
  scratch: Scratch,
  commits: readonly RewrittenCommit[],
): Promise<readonly string[]> {
  const repository = await findRepository(git, folder);
  if (!repository) throw refused('this folder is not in a repository');
  return scratch.use(async (place) => {
    const treeWith = (from: string | undefined, entries: IndexEntries) =>
      writeTree(git, repository, join(place, 'index'), from, entries);
    const made: string[] = [];
    for (const { commit, entries, message } of commits) {
      const { header, rest } = await headerOf(git, folder, commit);
      const [tree = '', ...parents] = [...header.matchAll(/^(?:tree|parent) (.*)$/gm)].map(([, id = '']) => id);
      if (message === undefined) {
        const changed = entries.size === 0 ? tree : await treeWith(commit, entries);
        made.push(await writeCommit(git, folder, follow(header, changed, made.at(-1)), rest));
        continue;
      }
      if (parents.length > 1) throw refused(`${commit.slice(0, SHORT)} is a merge`);
      const part = await treeWith(parents[0], entries);
      if (part === tree) throw refused('all of the commit is chosen, so nothing would be left of it');
      if (part === (await treeWith(parents[0], new Map()))) throw refused('nothing of the commit is chosen');
      // The message is UTF-8, whatever the commit itself is written in.
      const ofPart = follow(header, part, made.at(-1))
        .replace(/^encoding .*\n?/m, '')
        .trimEnd();
      made.push(await writeCommit(git, folder, ofPart, `\n\n${Buffer.from(message.trimEnd()).toString('latin1')}\n`));
    }
    if (made.length === 0) throw refused('there is no commit to change');
    return made;
  });
}

/** A tree with other entries at some paths of the folder; of nothing but these without one to start from. */
async function writeTree(
  git: Git,
  { top, prefix, objectFormat }: Repository,
  index: string,
  from: string | undefined,
  entries: IndexEntries,
): Promise<string> {
  const env = { GIT_INDEX_FILE: index };
  const none = '0'.repeat(objectFormat === 'sha256' ? 64 : 40);
  await git.run(['read-tree', from ?? '--empty'], { cwd: top, env });
  const records = [...entries].map(([path, entry]) => {
    const whole = prefix === '' ? path : `${prefix}/${path}`;
    return entry ? `${entry.mode} ${entry.id}\t${whole}` : `0 ${none}\t${whole}`;
  });
  const input = joinRecords(records.map((record) => Buffer.from(record).toString('latin1')));
  await git.run(['update-index', '-z', '--index-info'], { cwd: top, env, input });
  return (await git.run(['write-tree'], { cwd: top, env })).toString().trim();
}

/** The header of a commit with another tree, after another parent if there is one. */
function follow(header: string, tree: string, parent: string | undefined): string {
  const changed = header.replace(/^tree .*$/m, `tree ${tree}`);
  if (parent === undefined) return changed;
  // The first commit of a repository has no parent.
  return /^parent /m.test(changed)
    ? changed.replace(/^parent .*$/m, `parent ${parent}`)
    : changed.replace(/^tree .*$/m, `tree ${tree}\nparent ${parent}`);
}

async function writeCommit(git: Git, folder: string, header: string, rest: string): Promise<string> {
  const input = Buffer.from(`${header}${rest}`, 'latin1');
  return (await git.run(['hash-object', '-t', 'commit', '-w', '--stdin'], { cwd: folder, input })).toString().trim();
}

/** A commit as git stores it, as bytes in latin1: what names the tree and the parents, and the rest. */
async function headerOf(git: Git, folder: string, commit: string): Promise<{ header: string; rest: string }> {
  const raw = (await git.run(['cat-file', 'commit', commit], { cwd: folder })).toString('latin1');
  const end = raw.indexOf('\n\n');
  return { header: raw.slice(0, end), rest: raw.slice(end) };
}

async function linearHistory(git: Git, folder: string, first: string): Promise<string[]> {
  const most = `--max-count=${MAX_REWRITTEN_COMMITS + 1}`;
  const listed = (await git.ask(['rev-list', '--topo-order', '--parents', most, `${first}..HEAD`], folder)) ?? '';
  const later = listed
    .split('\n')
    .filter((line) => line !== '')
    .reverse()
    .map((line) => line.split(' '));
  if (later.length >= MAX_REWRITTEN_COMMITS)
    throw refused(`more than ${MAX_REWRITTEN_COMMITS} commits follow it; use git rebase`);
  const commits = [first];
  for (const [commit = '', ...parents] of later) {
    if (parents.length !== 1 || parents[0] !== commits.at(-1)) throw refused('a merge follows it; use git rebase');
    commits.push(commit);
  }
  return commits;
}

const SHORT = 7;

function refused(why: string): FolderEditError {
  return new FolderEditError('refused', `${why}; nothing was changed`);
}
