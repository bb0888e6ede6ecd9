import { join } from 'node:path';
import { type EditorFileSystem, nodeFileSystem } from '../adapters/folder-editor-git/file-system.js';
import { GitFolderEditor } from '../adapters/folder-editor-git/folder-editor.js';
import { Scratch } from '../adapters/shared/git/scratch.js';
import { nodeWatcher } from '../adapters/watcher-node/index.js';
import { type KeptInGitOptions, keptInGit } from '../adapters/workspace-git/index.js';
import type { Watcher } from '../ports/watcher.js';
import type { Workspaces } from '../ports/workspace.js';

/** Where workspaces are kept, and what may be exchanged in tests. */
export interface GitWorkspacesOptions extends Omit<KeptInGitOptions, 'scratch' | 'watcher' | 'editor'> {
  /** What tells of changes on disk; the system's own watching unless said otherwise. */
  readonly watcher?: Watcher;
  /** What operations write files with. */
  readonly fileSystem?: EditorFileSystem;
}

/** Workspaces that are remembered with git, in bare repositories of the host's own, and changed on disk. */
export function gitWorkspaces(options: GitWorkspacesOptions): Workspaces {
  const { watcher = nodeWatcher(), fileSystem: fs = nodeFileSystem, ...kept } = options;
  const scratch = new Scratch(join(kept.directory, 'scratch'));
  return keptInGit({ ...kept, scratch, watcher, editor: (place) => new GitFolderEditor({ ...place, fs, scratch }) });
}
