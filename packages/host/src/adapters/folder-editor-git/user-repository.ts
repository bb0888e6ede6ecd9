import type { UserRepository } from '../../ports/user-repository.js';
import { createBranch, createPullRequest, push } from './branches.js';
import { type Remember, repositoryFacts } from './facts.js';
import { mergeBack } from './merge-back.js';
import { runAsUser } from './user-git.js';

/** The repository that a folder belongs to, through the user's own git. */
export function userRepository(folder: string, remember?: Remember): UserRepository {
  return {
    facts: () => repositoryFacts(folder, remember),
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
