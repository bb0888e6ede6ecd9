import { type ChangesetKind, parseChangesetUri, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { CommittingDoor } from '../../core/door-parts.js';
import type { Clock } from '../../ports/clock.js';
import type { Workspace } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import type { ChangesetChannel } from './changeset-channel.js';

interface OpenChangeset {
  readonly changeset: ChangesetChannel;
  readonly session: URI;
  /** The folders that it shows, as of now. */
  workspaces(): Workspace[];
}

/** The changesets with subscribers. Each follows its folders until the last one leaves or its session is disposed. */
export class OpenChangesets {
  readonly #door: CommittingDoor;
  readonly #clock: Clock;
  readonly #open = new Map<URI, OpenChangeset & { unwatch(): void }>();

  constructor({ door, clock }: HostContext) {
    this.#door = door;
    this.#clock = clock;
  }

  onUnused(uri: URI): void {
    if (this.#close(uri)) this.#door.discard(uri);
  }

  add(opened: OpenChangeset): void {
    const { changeset } = opened;
    this.#open.set(changeset.channel.uri, { ...opened, unwatch: watchAll(opened) });
    this.#clock.defer(() => changeset.begin()); // no effect if the folder was already watched
  }

  /** Call when the session has other folders than before. */
  foldersChanged(session: URI): void {
    for (const [uri, open] of this.#open) {
      if (open.session !== session) continue;
      open.unwatch();
      this.#open.set(uri, { ...open, unwatch: watchAll(open) });
      void open.changeset.refresh();
    }
  }

  get(uri: URI): Channel<'changeset'> | undefined {
    const channel = this.#open.get(uri)?.changeset.channel;
    return channel && this.#door.isOpen(channel) ? channel : undefined;
  }

  of(session: URI): ChangesetChannel[] {
    return [...this.#open.values()].filter((open) => open.session === session).map(({ changeset }) => changeset);
  }

  /** Call when what the session's changesets, or those of one kind, are computed from has changed. */
  refresh(session: URI, kind?: ChangesetKind): void {
    for (const changeset of this.of(session)) {
      const isMeant = kind === undefined || parseChangesetUri(changeset.channel.uri)?.selector.kind === kind;
      if (isMeant) void changeset.refresh();
    }
  }

  areIn(workspace: Workspace): boolean {
    return [...this.#open.values()].some((open) => open.workspaces().includes(workspace));
  }

  /**
   * Ends the changesets of a session, or those that `isGone` selects: they are emptied, disposed and closed (D-2). They
   * stay open if the store fails.
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

/** Also refreshes once a watch is in place: changes between the first computation and then are not reported. */
function watchAll({ changeset, workspaces }: OpenChangeset): () => void {
  const refresh = () => void changeset.refresh();
  const unwatch = workspaces().map((workspace) => workspace.watch({ settled: refresh, watching: refresh }));
  return () => {
    for (const end of unwatch) end();
  };
}
