import { WorkspaceError } from '../../ports/workspace.js';
import { git } from '../shared/git/git.js';
import { MAX_FILES } from './limits.js';

/** The files of a repository, tracked or new; undefined when the folder is in none, or git cannot tell. */
export async function listWithGit(folder: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
    const output = await git(args, { cwd: folder, signal });
    return named(output);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

function named(output: Buffer): readonly string[] {
  const files: string[] = [];
  for (let from = 0; from < output.length && files.length < MAX_FILES; ) {
    const end = output.indexOf(0, from);
    const to = end < 0 ? output.length : end;
    // A repository in this one is named as a folder.
    if (output[to - 1] !== SLASH) files.push(output.toString('utf8', from, to));
    from = to + 1;
  }
  return files;
}

const SLASH = 0x2f;
