import type { FileLists } from '../../ports/file-lists.js';
import { listWithGit } from './git.js';
import { walk } from './walk.js';

/** Names files as git does in a repository, and elsewhere by looking into folders, with the same ignore files. */
export function nodeFileLists(): FileLists {
  return { list: async (folder, signal) => (await listWithGit(folder, signal)) ?? walk(folder, signal) };
}
