import type { UserRepository } from '../../ports/user-repository.js';
import type { Scratch } from '../shared/git/scratch.js';
import { createBranch, createPullRequest, mergeBack, push } from './branches.js';
import { type Remember, repositoryFacts } from './facts.js';
import { runAsUser } from './user-git.js';

/** The repository that a folder belongs to, through the user's own git. */
export function userRepository(folder: string, scratch: Scratch, remember?: Remember): UserRepository {
  return {
    facts: () => repositoryFacts(folder, remember, scratch),
    async commit(message) {
      await runAsUser('git', ['commit', '--quiet', '--file=-'], folder, message);
      return { id: await runAsUser('git', ['rev-parse', '--short', 'HEAD'], folder) };
    },
    createBranch: (name) => createBranch(folder, name),
    mergeBack: (base) => mergeBack(folder, base),
    push: () => push(folder),
    createPullRequest: (base, title, body) => createPullRequest(folder, base, title, body),
  };
}
