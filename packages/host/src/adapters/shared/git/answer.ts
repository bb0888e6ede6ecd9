import { type GitOptions, GitRefusal, git } from './git.js';

/**
 * What git prints, or undefined when git answers that there is no such thing. A git that was killed or could not be
 * started gave no answer, so this throws: taken for a "no", it would make files look new, or gone.
 */
export async function answer(args: readonly string[], at: string | GitOptions): Promise<string | undefined> {
  try {
    return (await git(args, typeof at === 'string' ? { cwd: at } : at)).toString().trim() || undefined;
  } catch (error) {
    if (error instanceof GitRefusal) return undefined;
    throw error;
  }
}
