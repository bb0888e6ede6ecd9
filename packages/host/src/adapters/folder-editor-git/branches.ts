import { FolderEditError } from '../../ports/folder-editor.js';
import type { Git } from '../shared/git/git.js';
import { repositoryFacts } from './facts.js';
import { MAX_BRANCH_NAMES } from './limits.js';
import { runAsUser } from './user-git.js';

/** Creates a branch at HEAD and switches to it. Files and index stay as they are. */
export async function createBranch(git: Git, folder: string, name: string): Promise<string> {
  for (let number = 1; number <= MAX_BRANCH_NAMES; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (await succeeds(git, folder, ['show-ref', '--verify', '--quiet', `refs/heads/${candidate}`])) continue;
    await runAsUser(git, 'git', ['switch', '--quiet', '--create', candidate], folder);
    return candidate;
  }
  throw new FolderEditError('refused', `there are too many branches named like ${name}`);
}

/** Pushes the current branch, never with force: fails if the remote branch has commits that the local one lacks. */
export async function push(git: Git, folder: string): Promise<{ remote: string; branch: string }> {
  const { branch, remote } = await repositoryFacts(git, folder);
  if (!branch || !remote) throw new FolderEditError('refused', 'there is no branch or no remote to push to');
  await runAsUser(git, 'git', ['push', '--quiet', '--set-upstream', remote, `refs/heads/${branch}`], folder);
  return { remote, branch };
}

export async function createPullRequest(
  git: Git,
  folder: string,
  base: string,
  title: string,
  body: string,
): Promise<string> {
  const { branch } = await push(git, folder);
  const { forge } = await repositoryFacts(git, folder);
  if (!forge || 'missing' in forge) throw new FolderEditError('refused', forge?.missing ?? 'there is no remote');
  const target = localName(base);
  const args =
    forge.tool === 'gh'
      ? ['pr', 'create', '--title', title, '--body', body, '--base', target, '--head', branch]
      : [
          'mr',
          'create',
          '--yes',
          '--title',
          title,
          '--description',
          body,
          '--target-branch',
          target,
          '--source-branch',
          branch,
        ];
  const output = await runAsUser(git, forge.tool, args, folder);
  const url = /https?:\/\/\S+/.exec(output)?.[0];
  if (!url) throw new FolderEditError('refused', `${forge.tool} did not say where the pull request is: ${output}`);
  return url;
}

/** The local branch: `main` for `origin/main`. */
export function localName(base: string): string {
  return base.replace(/^(?:refs\/heads\/|origin\/)/, '');
}

function succeeds(git: Git, folder: string, args: readonly string[]): Promise<boolean> {
  return runAsUser(git, 'git', args, folder).then(
    () => true,
    () => false,
  );
}
