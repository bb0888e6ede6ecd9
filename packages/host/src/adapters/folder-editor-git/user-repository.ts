import type { UserRepository } from '../../ports/user-repository.js';
import type { Git } from '../shared/git/git.js';
import type { Scratch } from '../shared/git/scratch.js';
import { createBranch, push } from './branches.js';
import { commitOf, commitStaged } from './commit-staged.js';
import { type Remember, repositoryFacts } from './facts.js';
import { mainFolder } from './main-folder.js';
import { mergeBack } from './merge-back.js';
import { moveHead, readHead } from './move-head.js';
import { createPullRequest } from './pull-request.js';
import { entriesIn, rewritable, rewrite } from './rewrite.js';

/** The repository that a folder belongs to, through the user's own git. */
export function userRepository(git: Git, folder: string, scratch: Scratch, remember?: Remember): UserRepository {
  return {
    facts: () => repositoryFacts(git, folder, remember, scratch),
    commit: (message, options) => commitStaged(git, folder, scratch, message, options),
    commitOf: (operation) => commitOf(git, folder, operation),
    head: () => readHead(git, folder),
    moveHead: (move) => moveHead(git, folder, move),
    rewritable: (commit) => rewritable(git, folder, commit),
    entriesIn: (commit, paths) => entriesIn(git, folder, commit, paths),
    rewrite: (commits) => rewrite(git, folder, scratch, commits),
    mainFolder: () => mainFolder(git, folder),
    createBranch: (name) => createBranch(git, folder, name),
    mergeBack: (base) => mergeBack(git, folder, base),
    push: () => push(git, folder),
    createPullRequest: (base, wishes) => createPullRequest(git, folder, base, wishes),
  };
}
