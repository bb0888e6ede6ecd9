import type { URI } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import type { Clock } from '../../ports/clock.js';
import type { Workspace } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';
import type { ChangesetChannel } from './changeset-channel.js';

interface OpenChangeset {
  readonly changeset: ChangesetChannel;
  readonly session: URI;
  readonly workspace: Workspace;
}

/** The changesets that somebody watches. Each follows its folder until nobody does, or its session ends. */
export class OpenChangesets {
  readonly #door: Door;
  readonly #clock: Clock;
  readonly #open = new Map<URI, OpenChangeset & { unwatch(): void }>();

  constructor({ door, clock }: HostContext) {
    this.#door = door;
    this.#clock = clock;
    door.onLost((lost) => {
      const behind = new Set(lost.flatMap(({ channel }) => this.#open.get(channel.uri)?.changeset ?? []));
      if (behind.size === 0) return;
      clock.setTimeout(() => {
        for (const changeset of behind) changeset.repeat();
      }, STORE_RETRY_MS);
    });
    door.subscriptions.onUnused((uri) => {
      if (this.#close(uri)) door.channels.forget(uri);
    });
  }

  add(opened: OpenChangeset): void {
    const { changeset, workspace } = opened;
    const refresh = () => void changeset.refresh();
    // Also once the folder is watched: what changed before that, and after it was looked at, is told by nobody.
    const unwatch = workspace.watch({ settled: refresh, watching: refresh });
    this.#open.set(changeset.channel.uri, { ...opened, unwatch });
    this.#clock.defer(() => changeset.begin()); // where it is watched already, that is the first look
  }

  get(uri: URI): Channel<'changeset'> | undefined {
    const channel = this.#open.get(uri)?.changeset.channel;
    return channel && this.#door.isOpen(channel) ? channel : undefined;
  }

  of(session: URI): ChangesetChannel[] {
    return [...this.#open.values()].filter((open) => open.session === session).map(({ changeset }) => changeset);
  }

  /** Something was remembered that changesets of the session are computed from. */
  refresh(session: URI): void {
    for (const changeset of this.of(session)) void changeset.refresh();
  }

  areIn(workspace: Workspace): boolean {
    return [...this.#open.values()].some((open) => open.workspace === workspace);
  }

  /**
   * The session ends, or what some of its changesets are about: they are emptied, said to be gone, and closed (D-2). If that is
   * lost, they go on.
   */
  end(session: URI, isGone: (uri: URI) => boolean = () => true): void {
    for (const { channel } of this.of(session)) {
      if (!isGone(channel.uri)) continue;
      this.#door.afterwards(() => this.#close(channel.uri));
      this.#door.commit(channel, { type: 'changeset/cleared' });
      this.#door.commit(channel, { type: 'changeset/disposed' });
      this.#door.end(channel);
    }
  }

  closeAll(): void {
    for (const uri of [...this.#open.keys()]) this.#close(uri);
  }

  #close(uri: URI): boolean {
    const open = this.#open.get(uri);
    open?.changeset.close();
    open?.unwatch();
    return this.#open.delete(uri);
  }
}
