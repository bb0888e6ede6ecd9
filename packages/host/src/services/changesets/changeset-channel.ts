import type { ActionOf, ChangesetFile } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import { WorkspaceError } from '../../ports/workspace.js';

/** Up to this many changed files are sent one by one, more as a whole list: a branch switch is one message. */
const MOST_SINGLE_UPDATES = 50;

/** One changeset that somebody watches: computed when it is opened, and anew whenever its files may have changed. */
export class ChangesetChannel {
  readonly channel: Channel<'changeset'>;
  readonly #door: Door;
  readonly #compute: () => Promise<ChangesetFile[]>;
  #running = false;
  #again = false;
  #closed = false;

  constructor(channel: Channel<'changeset'>, door: Door, compute: () => Promise<ChangesetFile[]>) {
    this.channel = channel;
    this.#door = door;
    this.#compute = compute;
  }

  /** Computes it; while that runs, one more computation at the most is waiting. */
  async refresh(): Promise<void> {
    this.#again = this.#running;
    if (this.#running) return;
    this.#running = true;
    try {
      this.#show(await this.#compute());
    } catch (error) {
      const message = error instanceof WorkspaceError ? error.message : 'The changes could not be computed.';
      this.#commit({
        type: 'changeset/statusChanged',
        status: 'error',
        error: { errorType: 'changesFailed', message },
      });
    }
    this.#running = false;
    if (this.#again && !this.#closed) await this.refresh();
  }

  close(): void {
    this.#closed = true;
  }

  #show(files: ChangesetFile[]): void {
    const { state } = this.channel;
    const before = new Map(state.files.map((file) => [file.id, JSON.stringify(file)]));
    const changed = files.filter((file) => before.get(file.id) !== JSON.stringify(file));
    const kept = new Set(files.map((file) => file.id));
    const removed = state.files.filter((file) => !kept.has(file.id));
    if (state.status !== 'ready' || changed.length + removed.length > MOST_SINGLE_UPDATES) {
      this.#commit({ type: 'changeset/contentChanged', files });
    } else {
      for (const { id } of removed) this.#commit({ type: 'changeset/fileRemoved', fileId: id });
      for (const file of changed) this.#commit({ type: 'changeset/fileSet', file });
    }
    if (state.status !== 'ready') this.#commit({ type: 'changeset/statusChanged', status: 'ready' });
  }

  #commit(action: ActionOf<'changeset'>): void {
    if (!this.#closed) this.#door.commit(this.channel, action);
  }
}
