import { basename, join } from 'node:path';
import type { FileReader, FileScope } from '../../../ports/files.js';
import { fileTree } from '../file-tree.js';
import { idOf, type LoadedContainer } from '../found.js';
import { guardServers } from '../guarded-servers.js';
import { MAX_NAME_CHARS, MAX_PLUGINS } from '../limits.js';
import { oneLine } from '../parse/fields.js';
import { TreeProblem } from '../tree.js';
import { loadPlugin } from './plugin.js';
import type { Source } from './source.js';

export interface PluginOptions {
  readonly folder: string;
  readonly scope: () => Promise<FileScope>;
  /** Whether its MCP servers stay off until a user enables them. */
  readonly isGuarded: boolean;
}

/** A source for one configured plugin. It is shown, with the reason, even if it cannot be found. */
export function pluginSource(files: FileReader, { folder, scope, isGuarded }: PluginOptions): Source {
  return { folder, load: async () => [await loadContainer(files, folder, await scope(), isGuarded)] };
}

/** A source for a folder in which every subfolder is a plugin. */
export function pluginFolderSource(files: FileReader, folder: string, scope: FileScope): Source {
  const tree = fileTree(files, folder, scope);
  return {
    folder,
    load: async () => {
      const entries = await tree.list('').catch((error: unknown) => {
        if (error instanceof TreeProblem) return undefined; // it leads elsewhere: treated as missing
        throw error;
      });
      const folders = entries?.filter(({ type }) => type === 'directory').slice(0, MAX_PLUGINS) ?? [];
      return Promise.all(folders.map(({ name }) => loadContainer(files, join(folder, name), scope, false)));
    },
  };
}

async function loadContainer(
  files: FileReader,
  folder: string,
  scope: FileScope,
  isGuarded: boolean,
): Promise<LoadedContainer> {
  const tree = fileTree(files, folder, scope);
  const uri = tree.uriOf('');
  const id = idOf('plugin', uri);
  const { name, load, found: all } = await loadPlugin(tree, id);
  const found = isGuarded ? guardServers(all) : all;
  const shown = name ?? oneLine(basename(folder), MAX_NAME_CHARS) ?? 'plugin';
  const children = found.map(({ child }) => child);
  return { entry: { id, uri, name: shown, load, children, type: 'plugin' }, found, origin: 'plugin' };
}
