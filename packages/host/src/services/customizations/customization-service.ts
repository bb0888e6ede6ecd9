import { dirname } from 'node:path';
import {
  AhpErrorCodes,
  type ClientPluginCustomization,
  type CustomizationEnablement,
  RpcError,
  type URI,
} from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { Handler } from '../../core/handler.js';
import { isInside } from '../../paths/inside.js';
import { type AgentCustomizations, NO_CUSTOMIZATIONS } from '../../ports/customizations.js';
import type { Watcher } from '../../ports/watcher.js';
import type { HostContext } from '../context.js';
import type { DeclareMcpServers } from '../mcp/declaration.js';
import { mayBeOfClient } from '../resources/client-resources.js';
import { isFileUri, pathOfUri, uriOfPath } from '../resources/file-uri.js';
import type { ResourceService } from '../resources/resource-service.js';
import { CataloguePool } from './catalogue-pool.js';
import { Catalogues, type CustomizationOptions } from './catalogues.js';
import { ClientProblem, clientTree } from './client-tree.js';
import { fileTree } from './file-tree.js';
import { LiveSession } from './live-session.js';
import { containersOf } from './merge.js';
import { scopeOfRoots } from './scopes.js';
import type { Tree } from './tree.js';

interface LoadedFolder {
  readonly live: LiveSession;
  holders: number;
}

/**
 * Finds plugins and directories with rules, skills, prompts, agents and hooks, and shows them in each session (B-223,
 * B-224). A session is kept up to date while it has subscribers or a turn runs in it; others stay as they were.
 */
export class CustomizationService {
  readonly #context: HostContext;
  readonly #resources: ResourceService;
  readonly #pool: CataloguePool;
  readonly #catalogues: Catalogues;
  readonly #declare: DeclareMcpServers;
  readonly #live = new Map<URI, LoadedFolder>();
  /** Sessions that are held because they have subscribers. */
  readonly #watched = new Set<URI>();
  #isClosed = false;

  constructor(
    context: HostContext,
    resources: ResourceService,
    watcher: Watcher,
    options: CustomizationOptions,
    declare: DeclareMcpServers,
  ) {
    this.#context = context;
    this.#resources = resources;
    this.#declare = declare;
    this.#pool = new CataloguePool(context.clock);
    this.#catalogues = new Catalogues(context, watcher, options, this.#pool);
  }

  /** Deferred, so that a new subscriber gets its snapshot before the actions that follow from this. */
  onUsed(uri: URI): void {
    this.#context.clock.defer(() => this.#watch(uri));
  }

  onUnused(uri: URI): void {
    if (this.#watched.delete(uri)) this.#unhold(uri);
  }

  /** The customizations for a turn that begins now. */
  async forTurn(session: URI): Promise<AgentCustomizations> {
    // The failure has been logged; the turn goes on without customizations.
    const found = await this.#holding(session, (live) => live.forAgents()).catch(() => undefined);
    return found ?? NO_CUSTOMIZATIONS;
  }

  /**
   * Resolves when all customizations have been found and so their MCP servers are known, or after TURN_WAIT_MS. Never
   * rejects.
   */
  async found(session: URI, signal: AbortSignal): Promise<void> {
    await this.#holding(session, (live) => live.found(signal));
  }

  /** The enabled customizations as far as they are known; watched folders are not read again for this. */
  async enabled(session: URI, signal: AbortSignal): Promise<AgentCustomizations> {
    const enabled = await this.#holding(session, async (live) => {
      await live.found(signal);
      return live.enabled();
    });
    return enabled ?? NO_CUSTOMIZATIONS;
  }

  /**
   * Wraps `resourceWrite`: saving into a directory that is shown as writable creates missing folders and shows what was
   * saved (B-231).
   */
  saving(write: Handler<'resourceWrite'>): Handler<'resourceWrite'> {
    return async (params, caller) => {
      const path = isFileUri(params.uri) ? pathOfUri(params.uri) : undefined;
      if (path === undefined) return write(params, caller);
      try {
        return await write(params, caller);
      } catch (error) {
        const isMissing = error instanceof RpcError && error.code === AhpErrorCodes.NotFound;
        if (!isMissing || params.ifMatch !== undefined || !(await this.#isInWritable(path))) throw error;
        const uri = uriOfPath(dirname(path));
        await this.#resources.files.makeFolder(caller.clientId, { channel: params.channel, uri });
        return await write(params, caller);
      } finally {
        this.#pool.touch(path);
      }
    };
  }

  /** Stops updating a session that was disposed, or that nothing uses any more. */
  release(session: URI): void {
    const held = this.#live.get(session);
    this.#live.delete(session);
    this.#watched.delete(session);
    held?.live.close();
  }

  close(): void {
    this.#isClosed = true;
    for (const session of [...this.#live.keys()]) this.release(session);
    this.#pool.close();
  }

  #watch(uri: URI): void {
    const { subscriptions, channels } = this.#context.door;
    if (this.#watched.has(uri) || !subscriptions.has(uri) || !isKind(channels.peek(uri), 'session')) return;
    if (this.#hold(uri)) this.#watched.add(uri);
  }

  #hold(uri: URI): LiveSession | undefined {
    const held = this.#live.get(uri);
    if (held) {
      held.holders++;
      return held.live;
    }
    const { door, agents } = this.#context;
    const session = door.channels.find('session', uri);
    if (!session || this.#isClosed) return undefined;
    const { provider, workingDirectories = [] } = session.state;
    const [first] = workingDirectories;
    const live = new LiveSession({
      context: this.#context,
      uri,
      leases: this.#catalogues.leases(workingDirectories, agents.get(provider)?.info),
      folder: first === undefined ? undefined : pathOfUri(first),
      treeOf: (clientId, plugin, isWanted) => this.#treeOf(clientId, plugin, isWanted),
      declare: this.#declare,
    });
    live.ready.catch((error: unknown) =>
      this.#context.log.write('error', 'customizations.search-failed', 'searching for customizations failed', {
        error: String(error),
      }),
    );
    this.#live.set(uri, { live, holders: 1 });
    return live;
  }

  #unhold(uri: URI): void {
    const held = this.#live.get(uri);
    if (held && --held.holders <= 0) this.release(uri);
  }

  /** Keeps a session up to date while `use` runs. Undefined if the session does not exist. */
  async #holding<T>(uri: URI, use: (live: LiveSession) => Promise<T>): Promise<T | undefined> {
    const live = this.#hold(uri);
    try {
      return live && (await use(live));
    } finally {
      if (live) this.#unhold(uri);
    }
  }

  onSession({ channel: session, action }: Committed<'session'>): void {
    if (this.#isClosed) return;
    switch (action.type) {
      case 'session/ready':
        // A new session shows its customizations also to clients that come later (B-224). Failures are logged.
        void this.#holding(session.uri, ({ ready }) => ready).catch(() => undefined);
        return;
      case 'session/activeClientSet':
      case 'session/activeClientRemoved':
        this.#clientChanged(session);
        return;
      case 'session/workingDirectorySet':
      case 'session/workingDirectoryRemoved':
      case 'session/workingDirectoryReplaced':
        this.#foldersChanged(session.uri);
        return;
      case 'session/customizationToggled':
        this.#toggled(session, action.id, action.enablement);
        return;
      default:
        return;
    }
  }

  /** What is found in the new folders replaces what was found in the former ones. */
  #foldersChanged(uri: URI): void {
    const held = this.#live.get(uri);
    if (!held) return void this.#holding(uri, ({ ready }) => ready).catch(() => undefined); // failures are logged
    this.#live.delete(uri);
    held.live.close();
    this.#hold(uri);
    const again = this.#live.get(uri);
    if (again) again.holders = held.holders;
  }

  /** Also for a session without subscribers: MCP servers of the client's plugins may be running. */
  #clientChanged(session: Channel<'session'>): void {
    const hasClientPlugins = containersOf(session.state).some(({ clientId }) => clientId !== undefined);
    const live = hasClientPlugins ? this.#hold(session.uri) : undefined;
    (live ?? this.#live.get(session.uri)?.live)?.clientChanged();
    if (live) this.#unhold(session.uri);
  }

  #toggled(session: Channel<'session'>, id: string, enablement: CustomizationEnablement[]): void {
    const containers = containersOf(session.state);
    const isHere = containers.some((entry) => entry.id === id || entry.children?.some((child) => child.id === id));
    if (!isHere) return; // top-level MCP servers belong to McpService
    const live = this.#hold(session.uri);
    live?.toggled(id, enablement);
    if (live) this.#unhold(session.uri);
  }

  async #treeOf(clientId: string, { uri }: ClientPluginCustomization, isWanted: () => boolean): Promise<Tree> {
    const { files, folders } = this.#context;
    if (isFileUri(uri)) return fileTree(files, pathOfUri(uri), scopeOfRoots(folders));
    if (!mayBeOfClient(uri)) throw new ClientProblem('a client cannot publish a plugin at such a URI');
    return clientTree(this.#resources.clients, clientId, uri, isWanted);
  }

  /** Waits for directories that are still being looked for. */
  async #isInWritable(path: string): Promise<boolean> {
    await Promise.all([...this.#live.values()].map(({ live }) => live.found()));
    for (const uri of this.#live.keys()) {
      const session = this.#context.door.channels.peek(uri);
      if (!isKind(session, 'session')) continue;
      for (const entry of containersOf(session.state)) {
        if (entry.type === 'directory' && entry.writable && isInside(path, pathOfUri(entry.uri))) return true;
      }
    }
    return false;
  }
}
