import {
  type CreateResourceWatchParams,
  isObject,
  JsonRpcErrorCodes,
  type ResourceChange,
  type ResourceWatchState,
  RpcError,
  resourceWatchUri,
} from '@moorage/protocol';
import { randomId } from './random-id.js';

/** Starts watching what the host asks for and returns how to stop it. Throw an `RpcError` to refuse. */
export type WatchSource = (
  params: CreateResourceWatchParams,
  tell: (changes: readonly ResourceChange[]) => void,
) => (() => void) | Promise<() => void>;

interface Watch {
  readonly state: ResourceWatchState;
  stop: () => void;
  /** What changed before the host subscribed; undefined once it has. */
  early: ResourceChange[] | undefined;
}

/** Watches that a host may have on this client at once. */
const MAX_WATCHES = 64;
/** Changes kept until the host subscribes, which it does right away; beyond that the whole root counts as changed. */
const MAX_EARLY = 1_000;

/**
 * Watches that this client keeps for its host, on what it publishes (OQ-15): the host creates one, subscribes to it, and
 * gets changes as actions that this client numbers.
 */
export class PublishedWatches {
  readonly #notify: (method: string, params: object) => void;
  readonly #report: (error: unknown) => void;
  readonly #watches = new Map<string, Watch>();
  #source: WatchSource | undefined;
  #seq = 0;

  constructor(notify: (method: string, params: object) => void, report: (error: unknown) => void) {
    this.#notify = notify;
    this.#report = report;
  }

  serve(source: WatchSource): () => void {
    this.#source = source;
    return () => {
      this.#source = undefined;
      this.endAll();
    };
  }

  async create(params: CreateResourceWatchParams): Promise<{ channel: string }> {
    if (!this.#source) throw new RpcError(JsonRpcErrorCodes.MethodNotFound, 'createResourceWatch is not supported');
    if (this.#watches.size >= MAX_WATCHES) {
      throw new RpcError(JsonRpcErrorCodes.InvalidRequest, `a host can have ${MAX_WATCHES} watches of this client`);
    }
    const { uri: root, recursive = false, includes, excludes } = params;
    const state = { root, recursive, ...(includes && { includes }), ...(excludes && { excludes }) };
    const channel = resourceWatchUri.format(randomId());
    const watch: Watch = { state, stop: () => {}, early: [] };
    this.#watches.set(channel, watch);
    try {
      const stop = await this.#source(params, (changes) => this.#tell(channel, changes));
      if (this.#watches.get(channel) === watch) watch.stop = stop;
      else stop(); // the connection was lost meanwhile
    } catch (error) {
      this.#watches.delete(channel);
      throw error;
    }
    return { channel };
  }

  /** The host's `subscribe`; only for what was created for it. */
  subscribe(params: unknown): object {
    const channel = channelOf(params);
    const watch = channel === undefined ? undefined : this.#watches.get(channel);
    if (!watch || channel === undefined)
      throw new RpcError(JsonRpcErrorCodes.MethodNotFound, 'subscribe is not supported');
    const early = watch.early ?? [];
    watch.early = undefined;
    if (early.length > 0) queueMicrotask(() => this.#tell(channel, early)); // after the answer
    return { snapshot: { resource: channel, state: watch.state, fromSeq: this.#seq } };
  }

  unsubscribe(params: unknown): void {
    const channel = channelOf(params);
    if (channel === undefined) return;
    const watch = this.#watches.get(channel);
    this.#watches.delete(channel);
    try {
      watch?.stop();
    } catch (error) {
      this.#report(error); // the program's own trouble must not keep the client from coming back
    }
  }

  /** The connection is gone, and with it whoever subscribed. */
  endAll(): void {
    for (const channel of [...this.#watches.keys()]) this.unsubscribe({ channel });
  }

  #tell(channel: string, changes: readonly ResourceChange[]): void {
    const watch = this.#watches.get(channel);
    if (!watch || changes.length === 0) return; // an empty batch is never sent (B-303)
    if (watch.early) {
      watch.early.push(...changes);
      if (watch.early.length > MAX_EARLY) watch.early = [{ uri: watch.state.root, type: 'updated' }];
      return;
    }
    const action = { type: 'resourceWatch/changed', changes: { items: [...changes] } };
    this.#notify('action', { channel, serverSeq: ++this.#seq, action });
  }
}

function channelOf(params: unknown): string | undefined {
  return isObject(params) && typeof params.channel === 'string' ? params.channel : undefined;
}
