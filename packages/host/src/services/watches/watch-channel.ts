import type { ResourceChange, ResourceWatchState, URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { CommittingDoor } from '../../core/door-parts.js';
import type { Clock } from '../../ports/clock.js';
import { Batch } from './batch.js';
import { BATCH_MS, UNUSED_MS } from './limits.js';

export interface WatchChannelOptions {
  readonly uri: URI;
  readonly clientId: string;
  readonly state: ResourceWatchState;
  readonly door: CommittingDoor;
  readonly clock: Clock;
  /** Stops the underlying watch. */
  readonly stop: () => void;
  readonly onReleased: (watch: WatchChannel) => void;
}

/** One watch of a client, from its creation until it has no subscriber any more. */
export class WatchChannel {
  readonly uri: URI;
  readonly clientId: string;
  readonly #options: WatchChannelOptions;
  readonly #channel: Channel<'resourceWatch'>;
  readonly #batch: Batch;
  #timer: unknown;
  #unused: unknown;
  #wasUsed = false;
  #released = false;
  #isLost = false;
  readonly #ifLost = { again: () => this.#again() };

  constructor(options: WatchChannelOptions) {
    const { uri, clientId, state, door, clock } = options;
    this.uri = uri;
    this.clientId = clientId;
    this.#options = options;
    this.#batch = new Batch(state.root);
    this.#channel = door.openEphemeral(uri, 'resourceWatch', state, undefined, clientId);
    this.#unused = clock.setTimeout(() => this.release(), UNUSED_MS);
  }

  /** A client has subscribed: sends what has changed since the watch was created. */
  used(): void {
    this.#wasUsed = true;
    this.#options.clock.clearTimeout(this.#unused);
    this.#schedule();
  }

  /** Whether a URI is the watched one or below it. */
  covers(uri: URI): boolean {
    const { root } = this.#options.state;
    return uri === root || uri.startsWith(root.endsWith('/') ? root : `${root}/`);
  }

  add(changes: readonly ResourceChange[]): void {
    for (const { uri, type } of changes) this.#batch.add(uri, type);
    this.#schedule();
  }

  missed(): void {
    this.#batch.overflow();
    this.#schedule();
  }

  /** The watched file or folder is gone: reports that as the last change and releases the watch. */
  lost(): void {
    if (this.#released) return;
    const items = this.#batch.take().filter(({ uri }) => uri !== this.#options.state.root);
    this.#commit([...items, { uri: this.#options.state.root, type: 'deleted' }]);
    this.#isLost = true;
    this.release();
  }

  /** What had changed could not be stored and is forgotten by now. If that was the end of the watch, it ends again. */
  #again(): void {
    if (!this.#released) {
      this.missed();
      return;
    }
    const items: ResourceChange[] = this.#isLost ? [{ uri: this.#options.state.root, type: 'deleted' }] : [];
    this.#send(items);
    this.#options.door.end(this.#channel);
  }

  /** Releases the watch, at once or after `afterMs` unless a client subscribes before then. */
  release(afterMs = 0): void {
    const { clock, door, stop, onReleased } = this.#options;
    if (this.#released) return;
    clock.clearTimeout(this.#unused);
    if (afterMs > 0) {
      this.#unused = clock.setTimeout(() => this.release(), afterMs);
      return;
    }
    this.#released = true;
    clock.clearTimeout(this.#timer);
    stop();
    door.end(this.#channel);
    onReleased(this);
  }

  /** Changes are held back until the first subscriber is there to get them. */
  #schedule(): void {
    if (!this.#wasUsed || this.#timer !== undefined || this.#batch.isEmpty) return;
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#timer = undefined;
      this.#commit(this.#batch.take());
    }, BATCH_MS);
  }

  #commit(items: ResourceChange[]): void {
    if (!this.#released) this.#send(items);
  }

  #send(items: ResourceChange[]): void {
    if (items.length === 0) return; // never an empty batch (B-303)
    this.#options.door.commit(this.#channel, { type: 'resourceWatch/changed', changes: { items } }, this.#ifLost);
  }
}
