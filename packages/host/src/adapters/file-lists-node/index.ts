import type { FileLists } from '../../ports/file-lists.js';
import type { Telemetry } from '../../ports/telemetry.js';
import { asGitUser } from '../shared/git/git-life.js';
import { listWithGit } from './git.js';
import { walk } from './walk.js';

/** Lists files with git where the folder is in a repository, and by walking it elsewhere, with the same ignore files. */
export function nodeFileLists({ telemetry }: { readonly telemetry?: Telemetry | undefined } = {}): FileLists {
  return {
    list: async (folder, signal) =>
      (await asGitUser({ telemetry }, () => listWithGit(folder, signal))) ?? walk(folder, signal),
  };
}
