import { FolderEditError } from '../../ports/folder-editor.js';
import type { HeadMove } from '../../ports/user-repository.js';
import type { Git } from '../shared/git/git.js';
import { unfinishedIn } from './unfinished.js';
import { runAsUser } from './user-git.js';

/** The commit and the branch that are checked out; no commit if there is none yet, no branch if HEAD is detached. */
export async function readHead(git: Git, folder: string): Promise<{ commit?: string; branch?: string }> {
  const [commit, branch] = await Promise.all([
    git.ask(['rev-parse', '--verify', '--quiet', 'HEAD'], folder),
    git.ask(['symbolic-ref', '--short', '--quiet', 'HEAD'], folder),
  ]);
  return { ...(commit && { commit }), ...(branch && { branch }) };
}

/** Moves the current branch by one commit, back or forward again. Files and index stay as they are. */
export async function moveHead(git: Git, folder: string, { from, to, branch, rewrites }: HeadMove): Promise<void> {
  const now = await readHead(git, folder);
  if (now.branch !== branch)
    throw refused(`${now.branch ?? 'a commit'} is checked out now, not ${branch ?? 'a commit'}`);
  if (now.commit !== from) throw refused(`${now.branch ?? 'HEAD'} has moved on since`);
  const unfinished = await unfinishedIn(git, folder);
  if (unfinished) throw refused(`a ${unfinished} is not finished; finish it with git`);
  const parents = await parentsOf(git, folder, from);
  if (rewrites) await assertRewritten(git, folder, from, to);
  else if (from !== undefined && isParent(to, parents)) await assertNotPushed(git, folder, from);
  else if (!isParent(from, await parentsOf(git, folder, to)))
    throw refused(parents && parents.length > 1 ? 'it is a merge' : 'the commit is no longer there');
  const why = ['-m', rewrites ? 'moorage: a change in earlier commits' : 'moorage: undo or redo of a commit'];
  // With the expected value, so that a commit that is made at this moment is not lost.
  const args = to === undefined ? ['-d', 'HEAD', from ?? ''] : ['HEAD', to, from ?? '0'.repeat(to.length)];
  await runAsUser(git, 'git', ['update-ref', ...why, ...args], folder);
}

/** Undefined if the commit is not there. */
async function parentsOf(git: Git, folder: string, commit: string | undefined): Promise<string[] | undefined> {
  if (commit === undefined) return undefined;
  const line = await git.ask(['rev-list', '--parents', '--max-count=1', commit], folder);
  return line?.split(' ').slice(1);
}

/** Whether a commit, or none, is all that another one follows. */
function isParent(commit: string | undefined, parents: readonly string[] | undefined): boolean {
  return parents !== undefined && parents.length <= 1 && parents[0] === commit;
}

/** The commits that go must not have been pushed, and those that come must still be there. */
async function assertRewritten(git: Git, folder: string, from = '', to = ''): Promise<void> {
  if (!(await parentsOf(git, folder, to))) throw refused('the commits are no longer there');
  const common = await git.ask(['merge-base', from, to], folder);
  const gone = await git.ask(
    ['rev-list', '--topo-order', '--reverse', from, ...(common ? [`^${common}`] : [])],
    folder,
  );
  const [first] = gone?.split('\n') ?? [];
  if (first) await assertNotPushed(git, folder, first);
}

async function assertNotPushed(git: Git, folder: string, commit: string): Promise<void> {
  const args = ['for-each-ref', '--count=1', '--format=%(refname:short)', '--contains', commit, 'refs/remotes'];
  const pushed = await git.ask(args, folder);
  if (pushed) throw refused(`the commit has been pushed (${pushed} has it)`);
}

function refused(why: string): FolderEditError {
  return new FolderEditError('refused', `${why}; nothing was changed`);
}
