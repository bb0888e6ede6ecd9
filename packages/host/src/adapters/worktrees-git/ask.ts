import { WorktreeError } from '../../ports/worktrees.js';
import { answer } from '../shared/git/answer.js';
import { type GitOptions, git } from '../shared/git/git.js';

/** What git prints. Rejects with its error output if it fails. */
export async function run(args: readonly string[], options: GitOptions): Promise<string> {
  return withWorktreeErrors(async () => (await git(args, options)).toString().trim());
}

/** What git prints, or undefined if the answer is no. */
export function ask(args: readonly string[], cwd: string): Promise<string | undefined> {
  return withWorktreeErrors(() => answer(args, cwd));
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
export function commitOf(reference: string, cwd: string): Promise<string | undefined> {
  return ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`], cwd);
}
