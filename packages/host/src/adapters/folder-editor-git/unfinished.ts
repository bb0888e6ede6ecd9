import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '../shared/git/git.js';
import { runAsUser } from './user-git.js';

/** The git command, such as a merge, that the user or an agent has begun in a work tree and not finished. */
export async function unfinishedIn(git: Git, workTree: string): Promise<string | undefined> {
  const gitFolder = await runAsUser(git, 'git', ['rev-parse', '--absolute-git-dir'], workTree);
  return Object.entries(UNFINISHED).find(([name]) => existsSync(join(gitFolder, name)))?.[1];
}

/** The files that git keeps in its folder until a command is finished. */
const UNFINISHED = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  sequencer: 'cherry-pick',
};
