import { GitRefusal, git } from './git.js';

/**
 * What git prints, or undefined when it says that there is no such thing. One that was killed or could not be started has not said
 * so, which is a failure: files would look new, or gone, and be treated so.
 */
export async function answer(args: readonly string[], cwd: string): Promise<string | undefined> {
  try {
    return (await git(args, { cwd })).toString().trim() || undefined;
  } catch (error) {
    if (error instanceof GitRefusal) return undefined;
    throw error;
  }
}
