import type { UserRepository } from '../../ports/user-repository.js';
import type { Scratch } from '../shared/git/scratch.js';
import { createBranch, createPullRequest, push } from './branches.js';
import { commitStaged } from './commit-staged.js';
import { type Remember, repositoryFacts } from './facts.js';
import { mergeBack } from './merge-back.js';

/** The repository that a folder belongs to, through the user's own git. */
export function userRepository(folder: string, scratch: Scratch, remember?: Remember): UserRepository {
  return {
    facts: () => repositoryFacts(folder, remember, scratch),
    commit: (message) => commitStaged(folder, scratch, message),
    createBranch: (name) => createBranch(folder, name),
    mergeBack: (base) => mergeBack(folder, base),
    push: () => push(folder),
    createPullRequest: (base, title, body) => createPullRequest(folder, base, title, body),
  };
}
