import { WorktreeError } from '../../ports/worktrees.js';
import { type GitOptions, git } from '../shared/git/git.js';

/** What git prints; rejects with what it complained about. */
export async function run(args: readonly string[], options: GitOptions): Promise<string> {
  try {
    return (await git(args, options)).toString().trim();
  } catch (cause) {
    throw new WorktreeError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** What git prints, or undefined when it cannot say. */
export function ask(args: readonly string[], cwd: string): Promise<string | undefined> {
  return run(args, { cwd }).catch(() => undefined);
}

/** The commit that a full name of a reference stands for. */
export function commitOf(reference: string, cwd: string): Promise<string | undefined> {
  return ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`], cwd);
}
