import {
  type CreateResourceWatchParams,
  type CreateResourceWatchResult,
  JsonRpcErrorCodes,
  lenient,
  notifications,
  type ResourceWatchState,
  RpcError,
  resourceWatchUri,
  type URI,
} from '@moorage/protocol';
import { invalidRequest } from '../../core/errors.js';
import type { FileDescription } from '../../ports/files.js';
import { WatchError, type Watcher, type Watching } from '../../ports/watcher.js';
import type { HostContext } from '../context.js';
import { isFileUri } from '../resources/file-uri.js';
import type { ResourceService } from '../resources/resource-service.js';
import { type FileWatchListener, watchFile } from './file-watch.js';
import { AWAY_MS, MAX_WATCHES } from './limits.js';
import { WatchChannel } from './watch-channel.js';

/**
 * Clients' watches, on files of this machine and on what other clients publish. The publishing client watches the
 * latter for the host (OQ-15).
 */
export class WatchService {
  readonly #context: HostContext;
  readonly #resources: ResourceService;
  readonly #watcher: Watcher;
  readonly #watches = new Map<URI, WatchChannel>();
  /** Watches that a client keeps for the host, by that client and the channel it made. */
  readonly #remote = new Map<string, WatchChannel>();
  /** Watches being set up, per client, so that many at once cannot exceed the bound. */
  readonly #pending = new Map<string, number>();

  constructor(context: HostContext, resources: ResourceService, watcher: Watcher) {
    this.#context = context;
    this.#resources = resources;
    this.#watcher = watcher;
  }

  onUsed(uri: URI): void {
    this.#watches.get(uri)?.used();
  }

  async create(clientId: string, params: CreateResourceWatchParams): Promise<CreateResourceWatchResult> {
    const pending = this.#pending.get(clientId) ?? 0;
    const own = [...this.#watches.values()].filter((watch) => watch.clientId === clientId).length;
    if (own + pending >= MAX_WATCHES) {
      throw invalidRequest(`a client can have ${MAX_WATCHES} watches; unsubscribe from some first`);
    }
    this.#pending.set(clientId, pending + 1);
    try {
      const watch = await (isFileUri(params.uri)
        ? this.#watchFile(clientId, params)
        : this.#watchRemote(clientId, params));
      return { channel: watch.uri };
    } finally {
      const left = (this.#pending.get(clientId) ?? 1) - 1;
      if (left > 0) this.#pending.set(clientId, left);
      else this.#pending.delete(clientId);
    }
  }

  /** A client reports changes that it watches for the host. Changes that the host did not ask for are ignored. */
  remoteChanged(clientId: string, params: unknown): void {
    if (!ENVELOPE.check(params)) return;
    const watch = this.#remote.get(remoteKey(clientId, params.channel));
    const { action } = params;
    if (!watch || action.type !== 'resourceWatch/changed') return;
    watch.add(action.changes.items.filter(({ uri, type }) => TYPES.has(type) && watch.covers(uri)));
  }

  /** A client disconnected. It may come back for its own watches, but those it keeps for others are lost. */
  clientGone(clientId: string): void {
    const lost = [...this.#remote].filter(([key]) => key.startsWith(remoteKey(clientId, '')));
    for (const [, watch] of lost) watch.lost();
  }

  dispose(): void {
    for (const watch of [...this.#watches.values()]) watch.release();
  }

  async #watchFile(clientId: string, params: CreateResourceWatchParams): Promise<WatchChannel> {
    let watch: WatchChannel | undefined;
    const early: (() => void)[] = [];
    const deliver = (send: (to: WatchChannel) => void) =>
      watch ? send(watch) : early.push(() => watch && send(watch));
    const listener: FileWatchListener = {
      changed: (changes) => deliver((to) => to.add(changes)),
      missed: () => deliver((to) => to.missed()),
      lost: () => deliver((to) => to.lost()),
    };
    const start = (found: FileDescription) => watchFile(this.#watcher, found, params, listener).catch(failed);
    const watching = await this.#resources.files.startWatch(clientId, params.uri, start);
    watch = this.#open(clientId, params, watching);
    for (const send of early) send();
    return watch;
  }

  async #watchRemote(clientId: string, params: CreateResourceWatchParams): Promise<WatchChannel> {
    const { clients } = this.#resources;
    const { uri } = params;
    const publisher = clients.publisherOf(uri);
    const { channel } = await clients.askClient(publisher, 'createResourceWatch', uri, params);
    const key = remoteKey(publisher, channel);
    const stop = () => {
      this.#remote.delete(key);
      clients.link.notify(publisher, 'unsubscribe', { channel });
    };
    const watch = this.#open(clientId, params, { stop });
    this.#remote.set(key, watch); // before subscribing: the first change may follow right after the answer
    try {
      await clients.subscribe(publisher, uri, channel);
    } catch (error) {
      watch.release();
      throw error;
    }
    return watch;
  }

  #open(clientId: string, params: CreateResourceWatchParams, watching: Watching): WatchChannel {
    const { door, clock, ids } = this.#context;
    const { uri: root, recursive = false, includes, excludes } = params;
    const state: ResourceWatchState = {
      root,
      recursive,
      ...(includes && { includes }),
      ...(excludes && { excludes }),
    };
    const uri = resourceWatchUri.format(ids.next());
    const stop = () => watching.stop();
    const onReleased = () => this.#watches.delete(uri);
    const watch = new WatchChannel({ uri, clientId, state, door, clock, stop, onReleased });
    this.#watches.set(uri, watch);
    return watch;
  }

  /**
   * A client that unsubscribed is done with the watch; one that lost its connection may come back for what it missed
   * (B-304, OQ-94).
   */
  onUnused(uri: URI): void {
    const watch = this.#watches.get(uri);
    if (!watch) return;
    const { clock, door } = this.#context;
    clock.defer(() => {
      if (door.subscriptions.has(uri)) return;
      watch.release(this.#resources.clients.link.isConnected(watch.clientId) ? 0 : AWAY_MS);
    });
  }
}

function failed(error: unknown): never {
  throw error instanceof WatchError ? new RpcError(JsonRpcErrorCodes.InternalError, error.message) : error;
}

const ENVELOPE = lenient(notifications.action.params);
const TYPES: ReadonlySet<string> = new Set(['added', 'updated', 'deleted']);

function remoteKey(clientId: string, channel: URI): string {
  return `${encodeURIComponent(clientId)} ${channel}`;
}
