import { join } from 'node:path';
import { nodeClock } from '../adapters/clock-node/index.js';
import { type EditorFileSystem, nodeFileSystem } from '../adapters/folder-editor-git/file-system.js';
import { GitFolderEditor } from '../adapters/folder-editor-git/folder-editor.js';
import { Scratch } from '../adapters/shared/git/scratch.js';
import { nodeWatcher } from '../adapters/watcher-node/index.js';
import { type KeptInGitOptions, keptInGit } from '../adapters/workspace-git/index.js';
import type { Clock } from '../ports/clock.js';
import { type Log, silentLog } from '../ports/log.js';
import type { Watcher } from '../ports/watcher.js';
import type { Workspaces } from '../ports/workspace.js';

/** Where workspaces are kept, and parts that tests replace. */
export interface GitWorkspacesOptions
  extends Omit<KeptInGitOptions, 'scratch' | 'watcher' | 'editor' | 'clock' | 'log'> {
  /** The time; default: the system's. */
  readonly clock?: Clock;
  /** Where it writes what happens; default: nowhere. */
  readonly log?: Log;
  /** Reports changes on disk; default: this machine's. */
  readonly watcher?: Watcher;
  /** Writes files for operations; default: this machine's file system. */
  readonly fileSystem?: EditorFileSystem;
}

/** Workspaces whose states are kept in bare git repositories of the host's own, with an editor for the files on disk. */
export function gitWorkspaces(options: GitWorkspacesOptions): Workspaces {
  if (process.versions.bun !== undefined) throw new Error(NOT_IN_BUN);
  const { fileSystem: fs = nodeFileSystem, clock = nodeClock, log = silentLog } = options;
  const watcher = options.watcher ?? nodeWatcher({ marks: join(options.directory, 'marks') });
  const kept = { ...options, clock, log };
  const scratch = new Scratch(join(kept.directory, 'scratch'));
  return keptInGit({ ...kept, scratch, watcher, editor: (place) => new GitFolderEditor({ ...place, fs, scratch }) });
}

/** In Bun 1.4 the process does not end after the host has closed, so it is said before anything hangs. */
const NOT_IN_BUN = 'gitWorkspaces does not work in Bun: run the host with Node or Deno, or leave out `workspaces`';
