import { WorkspaceError } from '../../ports/workspace.js';
import type { Git } from '../shared/git/git.js';
import { MAX_FILES } from './limits.js';

/** The tracked and new files of a repository. Undefined if the folder is in no repository or git fails. */
export async function listWithGit(
  git: Git,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
    const output = await git.run(args, { cwd: folder, signal });
    return parseNames(output);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

function parseNames(output: Buffer): readonly string[] {
  const files: string[] = [];
  for (let from = 0; from < output.length && files.length < MAX_FILES; ) {
    const end = output.indexOf(0, from);
    const to = end < 0 ? output.length : end;
    // A trailing slash marks a nested repository.
    if (output[to - 1] !== SLASH) files.push(output.toString('utf8', from, to));
    from = to + 1;
  }
  return files;
}

const SLASH = 0x2f;
