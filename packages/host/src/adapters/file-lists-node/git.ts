import type { ListedFiles } from '../../ports/file-lists.js';
import { WorkspaceError } from '../../ports/workspace.js';
import { git } from '../shared/git/git.js';
import { MAX_FILES } from './limits.js';

/** The files of a repository, tracked or new; undefined when the folder is in none, or git cannot tell. */
export async function listWithGit(folder: string, signal: AbortSignal): Promise<ListedFiles | undefined> {
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

function named(output: Buffer): ListedFiles {
  const files: string[] = [];
  for (let from = 0; from < output.length; ) {
    const end = output.indexOf(0, from);
    const to = end < 0 ? output.length : end;
    if (files.length >= MAX_FILES) return { files, isComplete: false };
    // A repository in this one is named as a folder.
    if (output[to - 1] !== SLASH) files.push(output.toString('utf8', from, to));
    from = to + 1;
  }
  return { files, isComplete: true };
}

const SLASH = 0x2f;
