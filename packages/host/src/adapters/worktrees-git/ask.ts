import { WorktreeError } from '../../ports/worktrees.js';
import { answer } from '../shared/git/answer.js';
import { type GitOptions, git } from '../shared/git/git.js';

/** What git prints; rejects with what it complained about. */
export async function run(args: readonly string[], options: GitOptions): Promise<string> {
  return inWords(async () => (await git(args, options)).toString().trim());
}

/** What git prints, or undefined when it says no. */
export function ask(args: readonly string[], cwd: string): Promise<string | undefined> {
  return inWords(() => answer(args, cwd));
}

/** What git and the file system complain about is for people too. */
export async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof WorktreeError) throw cause;
    throw new WorktreeError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The commit that a full name of a reference stands for. */
export function commitOf(reference: string, cwd: string): Promise<string | undefined> {
  return ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`], cwd);
}
