import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Workspace, Workspaces } from '../../ports/workspace.js';
import { nodeFileSystem, type TreeFileSystem } from '../work-tree-git/file-system.js';
import { GitWorkTree } from '../work-tree-git/work-tree.js';
import { BlobReader } from './blob-reader.js';
import { GitWorkspace } from './workspace.js';

export interface GitWorkspacesOptions {
  /** Where the host keeps what it remembers; one folder below it for each workspace. */
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** What operations write files with. */
  readonly fileSystem?: TreeFileSystem;
}

/** Workspaces that are remembered with git, in bare repositories of the host's own. */
export function gitWorkspaces({
  directory,
  clock,
  log,
  fileSystem: fs = nodeFileSystem,
}: GitWorkspacesOptions): Workspaces {
  const workspaces = new Map<string, Workspace>();
  const readers = new Map<string, BlobReader>();
  const self: Workspaces = {
    open(folder) {
      const known = workspaces.get(folder);
      if (known) return known;
      const id = createHash('sha256').update(folder).digest('hex').slice(0, ID_CHARS);
      const workspace = new GitWorkspace(id, folder, join(directory, id), clock, log);
      workspaces.set(folder, workspace);
      return workspace;
    },
    workTree(folder) {
      const { id } = self.open(folder);
      const read = (contentId: string) => self.read(id, contentId);
      return new GitWorkTree({ folder, directory: join(directory, id), fs, read });
    },
    read(id, contentId) {
      if (!/^[0-9a-f]+$/.test(id) || id.length !== ID_CHARS) return Promise.resolve(undefined);
      const reader = readers.get(id) ?? new BlobReader(join(directory, id));
      readers.set(id, reader);
      return reader.read(contentId);
    },
    async close() {
      for (const reader of readers.values()) reader.close();
    },
  };
  return self;
}

/** Enough of the hash of a path that no two folders of one machine share it. */
const ID_CHARS = 24;
