import type { UserRepository } from '../../ports/user-repository.js';
import type { Git } from '../shared/git/git.js';
import type { Scratch } from '../shared/git/scratch.js';
import { createBranch, createPullRequest, push } from './branches.js';
import { commitStaged } from './commit-staged.js';
import { type Remember, repositoryFacts } from './facts.js';
import { mergeBack } from './merge-back.js';

/** The repository that a folder belongs to, through the user's own git. */
export function userRepository(git: Git, folder: string, scratch: Scratch, remember?: Remember): UserRepository {
  return {
    facts: () => repositoryFacts(git, folder, remember, scratch),
    commit: (message) => commitStaged(git, folder, scratch, message),
    createBranch: (name) => createBranch(git, folder, name),
    mergeBack: (base) => mergeBack(git, folder, base),
    push: () => push(git, folder),
    createPullRequest: (base, title, body) => createPullRequest(git, folder, base, title, body),
  };
}
