import type { FileLists } from '../../ports/file-lists.js';
import type { Telemetry } from '../../ports/telemetry.js';
import { Git } from '../shared/git/git.js';
import type { RepositoryRules } from '../shared/git/repository-rules.js';
import { listWithGit } from './git.js';
import { walk } from './walk.js';

export interface NodeFileListsOptions {
  /** Measures git commands. */
  readonly telemetry?: Telemetry | undefined;
  /** Which repositories may be used; by default only a folder's own. */
  readonly repositories?: RepositoryRules | undefined;
}

/** Lists files with git where the folder is in a repository, and by walking it elsewhere, with the same ignore files. */
export function nodeFileLists({ telemetry, repositories: rules }: NodeFileListsOptions = {}): FileLists {
  const git = new Git({ telemetry, rules });
  return { list: async (folder, signal) => (await listWithGit(git, folder, signal)) ?? walk(folder, signal) };
}
