import { WorktreeError } from '../../ports/worktrees.js';
import type { Git, GitOptions } from '../shared/git/git.js';

/** What git prints. Rejects with its error output if it fails. */
export async function run(git: Git, args: readonly string[], options: GitOptions): Promise<string> {
  return withWorktreeErrors(async () => (await git.run(args, options)).toString().trim());
}

/** What git prints, or undefined if the answer is no. */
export function ask(git: Git, args: readonly string[], at: string | GitOptions): Promise<string | undefined> {
  return withWorktreeErrors(() => git.ask(args, at));
}

/** Turns any error of git or the file system into a WorktreeError with the same message. */
export async function withWorktreeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof WorktreeError) throw cause;
    throw new WorktreeError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The commit that a full reference name points to. */
export function commitOf(git: Git, reference: string, at: string | GitOptions): Promise<string | undefined> {
  return ask(git, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`], at);
}

/** For git in a repository's own folder, where it must not be left to find the repository by itself. */
export function inside(repository: string): GitOptions {
  return { cwd: repository, env: { GIT_DIR: repository } };
}
