import { join } from 'node:path';
import { Scratch } from '../adapters/shared/git/scratch.js';
import { nodeWatcher } from '../adapters/watcher-node/index.js';
import { nodeFileSystem, type TreeFileSystem } from '../adapters/work-tree-git/file-system.js';
import { GitWorkTree } from '../adapters/work-tree-git/work-tree.js';
import { type KeptInGitOptions, keptInGit } from '../adapters/workspace-git/index.js';
import type { Watcher } from '../ports/watcher.js';
import type { Workspaces } from '../ports/workspace.js';

/** Where workspaces are kept, and what may be exchanged in tests. */
export interface GitWorkspacesOptions extends Omit<KeptInGitOptions, 'scratch' | 'watcher' | 'workTree'> {
  /** What tells of changes on disk; the system's own watching unless said otherwise. */
  readonly watcher?: Watcher;
  /** What operations write files with. */
  readonly fileSystem?: TreeFileSystem;
}

/** Workspaces that are remembered with git, in bare repositories of the host's own, and changed on disk. */
export function gitWorkspaces(options: GitWorkspacesOptions): Workspaces {
  const { watcher = nodeWatcher(), fileSystem: fs = nodeFileSystem, ...kept } = options;
  const scratch = new Scratch(join(kept.directory, 'scratch'));
  return keptInGit({ ...kept, scratch, watcher, workTree: (place) => new GitWorkTree({ ...place, fs, scratch }) });
}
