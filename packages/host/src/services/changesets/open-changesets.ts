import type { URI } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import type { Workspace } from '../../ports/workspace.js';
import type { ChangesetChannel } from './changeset-channel.js';

interface OpenChangeset {
  readonly changeset: ChangesetChannel;
  readonly session: URI;
  readonly workspace: Workspace;
}

/** The changesets that somebody watches. Each follows its folder until nobody does, or its session ends. */
export class OpenChangesets {
  readonly #door: Door;
  readonly #open = new Map<URI, OpenChangeset & { unwatch(): void }>();

  constructor(door: Door) {
    this.#door = door;
    door.subscriptions.onUnused((uri) => {
      if (this.#close(uri)) door.channels.forget(uri);
    });
  }

  add(opened: OpenChangeset): void {
    const { changeset, workspace } = opened;
    const unwatch = workspace.watch({ settled: () => void changeset.refresh() });
    this.#open.set(changeset.channel.uri, { ...opened, unwatch });
    void changeset.refresh();
  }

  get(uri: URI): Channel<'changeset'> | undefined {
    return this.#open.get(uri)?.changeset.channel;
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

  /** The session ends: its changesets are emptied, said to be gone, and closed (D-2). */
  endSession(session: URI): void {
    for (const { channel } of this.of(session)) {
      this.#close(channel.uri);
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
