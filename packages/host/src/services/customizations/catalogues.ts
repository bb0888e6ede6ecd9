import { join } from 'node:path';
import type { AgentInfo, Customization, URI } from '@moorage/protocol';
import { isInside } from '../../paths/inside.js';
import type { FileScope } from '../../ports/files.js';
import type { Watcher } from '../../ports/watcher.js';
import type { HostContext } from '../context.js';
import { isFileUri, pathOfUri } from '../resources/file-uri.js';
import { Catalogue } from './catalogue.js';
import type { CataloguePool, Lease } from './catalogue-pool.js';
import { ANYWHERE, scopeIn } from './scopes.js';
import { folderSource } from './sources/folder-source.js';
import { findByType, type KnownFolder, USER_FOLDERS, WORKSPACE_FOLDERS } from './sources/known-folders.js';
import { pluginFolderSource, pluginSource } from './sources/plugin-source.js';
import type { Source } from './sources/source.js';
import { WatchedFiles } from './watched-files.js';

/** Where to look for rules, skills, prompts, agents and hooks. */
export interface CustomizationOptions {
  /** The user's home, where tools keep customizations for all workspaces; without it those are not shown. */
  readonly userHome?: string;
  /** Plugin folders for every session. */
  readonly plugins?: readonly string[];
}

/** The folder, below the home, for a user's plugins. */
const USER_PLUGINS = '.agents/plugins';

/** Determines the folders that a session's customizations come from. */
export class Catalogues {
  readonly #context: HostContext;
  readonly #watcher: Watcher;
  readonly #options: CustomizationOptions;
  readonly #pool: CataloguePool;

  constructor(context: HostContext, watcher: Watcher, options: CustomizationOptions, pool: CataloguePool) {
    this.#context = context;
    this.#watcher = watcher;
    this.#options = options;
    this.#pool = pool;
  }

  /** In display order: the closest to the session first. */
  leases(workingDirectories: readonly URI[], agent: AgentInfo | undefined): Lease[] {
    const { userHome, plugins = [] } = this.#options;
    const workspaces = workingDirectories.flatMap((uri) => this.#workspaceOf(uri) ?? []);
    const workspace = this.#workspaceOf(workingDirectories[0]);
    const declared = agent?.customizations ?? [];
    const key = (...parts: string[]) => JSON.stringify(parts);
    return [
      ...workspaces.map((folder) => this.#pool.lease(key('workspace', folder), () => this.#ofWorkspace(folder))),
      ...(declared.length === 0
        ? []
        : [
            this.#pool.lease(key('agent', workspace ?? '', JSON.stringify(declared)), () =>
              this.#ofAgent(declared, workspace),
            ),
          ]),
      ...(userHome === undefined || workspaces.includes(userHome)
        ? []
        : [this.#pool.lease(key('user', userHome), () => this.#ofUser(userHome))]),
      ...(plugins.length === 0 ? [] : [this.#pool.lease(key('plugins'), async () => this.#ofPlugins(plugins))]),
    ];
  }

  #workspaceOf(uri: URI | undefined): string | undefined {
    if (uri === undefined) return undefined;
    try {
      this.#context.folders.resolve(uri);
      return pathOfUri(uri).replace(/(.)\/+$/, '$1');
    } catch {
      return undefined; // missing, or no longer below a root
    }
  }

  async #ofWorkspace(base: string): Promise<Catalogue> {
    const files = this.#filesIn(base);
    const scope = await scopeIn(files, this.#context.folders, base);
    const options = { files, base, scope, origin: 'workspace', mayWrite: this.#mayWrite } as const;
    const known = WORKSPACE_FOLDERS.map((folder) => folderSource(folder, options));
    return this.#catalogue(known, base, scope, files);
  }

  async #ofUser(base: string): Promise<Catalogue> {
    const files = this.#filesIn(base);
    const scope = await scopeIn(files, this.#context.folders, base);
    const options = { files, base, scope, origin: 'user', mayWrite: this.#mayWrite } as const;
    const known = USER_FOLDERS.map((folder) => folderSource(folder, options));
    return this.#catalogue([...known, pluginFolderSource(files, join(base, USER_PLUGINS), scope)], base, scope, files);
  }

  #ofPlugins(paths: readonly string[]): Catalogue {
    const files = this.#filesIn('/');
    const sources = paths.map((path) => this.#plugin(path, files, false));
    return this.#catalogue(sources, '/', ANYWHERE, files);
  }

  /** Customizations declared by an agent are read like configured ones (B-224). Relative paths are in the workspace. */
  async #ofAgent(declared: readonly Customization[], workspace: string | undefined): Promise<Catalogue> {
    const files = this.#filesIn('/');
    const sources = await Promise.all(declared.map((entry) => this.#declared(entry, workspace, files)));
    const found = sources.filter((source) => source !== undefined);
    return this.#catalogue(found, '/', ANYWHERE, files);
  }

  async #declared(
    entry: Customization,
    workspace: string | undefined,
    files: WatchedFiles,
  ): Promise<Source | undefined> {
    const folder = folderOf(entry.uri, workspace);
    if (folder === undefined || entry.type === 'mcpServer') return undefined;
    const isInWorkspace = workspace !== undefined && isInside(folder, workspace);
    if (entry.type === 'plugin') return this.#plugin(folder, files, isInWorkspace);
    const { name, contents, writable } = entry;
    const known: KnownFolder = {
      path: '',
      name,
      contents,
      isOffered: true,
      isWritable: writable,
      find: (place, into) => findByType(contents, place, into),
    };
    const scope = await scopeIn(files, this.#context.folders, folder);
    return folderSource(known, { files, base: folder, scope, origin: 'plugin', mayWrite: this.#mayWrite });
  }

  #plugin(folder: string, files: WatchedFiles, isGuarded: boolean): Source {
    const { folders } = this.#context;
    return pluginSource(files, { folder, scope: () => scopeIn(files, folders, folder), isGuarded });
  }

  #filesIn(base: string): WatchedFiles {
    return new WatchedFiles(this.#context.files, base);
  }

  #catalogue(sources: readonly Source[], base: string, scope: FileScope, files: WatchedFiles): Catalogue {
    const { clock, log } = this.#context;
    return new Catalogue({ sources, base, scope, files, watcher: this.#watcher, clock, log });
  }

  readonly #mayWrite = async (path: string): Promise<boolean> => {
    const { files, folders } = this.#context;
    return files.locate(path).then(
      (real) => folders.contains(real),
      () => false,
    );
  };
}

function folderOf(uri: URI, workspace: string | undefined): string | undefined {
  try {
    if (isFileUri(uri)) return pathOfUri(uri);
    return /^[a-z][a-z0-9+.-]*:/i.test(uri) || workspace === undefined ? undefined : join(workspace, uri);
  } catch {
    return undefined;
  }
}
