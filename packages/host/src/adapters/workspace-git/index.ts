import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Telemetry } from '../../ports/telemetry.js';
import type { Workspaces } from '../../ports/workspace.js';
import { nodeFileSystem, type TreeFileSystem } from '../work-tree-git/file-system.js';
import { GitWorkTree } from '../work-tree-git/work-tree.js';
import { ObjectReader } from './object-reader.js';
import { observeGit } from './observed.js';
import { whyNotKept } from './stand-ins.js';
import { GitWorkspace } from './workspace.js';

export interface GitWorkspacesOptions {
  /** Where the host keeps what it remembers; one folder below it for each workspace. */
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of git commands. */
  readonly telemetry?: Telemetry | undefined;
  /** Files of a folder from which on only those that were touched are looked at again; a small one is looked at whole. */
  readonly filesWorthTracking?: number;
  /** What operations write files with. */
  readonly fileSystem?: TreeFileSystem;
}

/** Workspaces that are remembered with git, in bare repositories of the host's own. */
export function gitWorkspaces({
  directory,
  clock,
  log,
  telemetry,
  filesWorthTracking,
  fileSystem: fs = nodeFileSystem,
}: GitWorkspacesOptions): Workspaces {
  const stopObserving = telemetry && observeGit(telemetry);
  const workspaces = new Map<string, GitWorkspace>();
  const readers = new Map<string, ObjectReader>();
  const readerOf = (id: string) => {
    const reader = readers.get(id) ?? new ObjectReader(join(directory, id));
    readers.set(id, reader);
    return reader;
  };
  const openWorkspace = (folder: string) => {
    const known = workspaces.get(folder);
    if (known) return known;
    const id = idOf(folder);
    const reader = readerOf(id);
    const own = join(directory, id);
    const workspace = new GitWorkspace({ id, folder, directory: own, reader, clock, log, filesWorthTracking });
    workspaces.set(folder, workspace);
    return workspace;
  };
  const self: Workspaces = {
    idOf,
    open: openWorkspace,
    workTree(folder) {
      const workspace = openWorkspace(folder);
      const { id } = workspace;
      const read = async (contentId: string) => {
        const content = await self.read(id, contentId);
        return content instanceof Uint8Array ? content : undefined;
      };
      return new GitWorkTree({ folder, directory: join(directory, id), fs, read, beforeGit: () => workspace.flush() });
    },
    async read(id, contentId) {
      if (!/^[0-9a-f]+$/.test(id) || id.length !== ID_CHARS) return undefined;
      const object = await readerOf(id).read(contentId);
      if (object?.type !== 'blob') return undefined;
      return whyNotKept(join(directory, id), contentId, object.content) ?? object.content;
    },
    async retainOnly(workspaceIds, olderThan) {
      const used = new Set([...workspaceIds, ...[...workspaces.values()].map(({ id }) => id)]);
      for (const name of await readdir(directory).catch(() => [])) {
        if (name.length !== ID_CHARS || used.has(name)) continue;
        const own = join(directory, name);
        if ((await stat(own)).mtimeMs < olderThan) await rm(own, { recursive: true, force: true });
      }
    },
    async close() {
      stopObserving?.();
      await Promise.all([...workspaces.values()].map((workspace) => workspace.close()));
      for (const reader of readers.values()) reader.close();
    },
  };
  return self;
}

function idOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, ID_CHARS);
}

/** Enough of the hash of a path that no two folders of one machine share it. */
const ID_CHARS = 24;
