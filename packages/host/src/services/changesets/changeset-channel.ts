import type { ActionOf, ChangesetFile } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import type { Clock } from '../../ports/clock.js';
import { type CompareOptions, WorkspaceError } from '../../ports/workspace.js';
import type { ShownChange } from './notes.js';

/** Up to this many changed files are sent one by one, more as a whole list: a branch switch is one message. */
const MOST_SINGLE_UPDATES = 50;

/** Files in one message. A longer list goes on file by file, with room for others in between. */
const MOST_FILES_AT_ONCE = 1_000;

/** Files that are told between two looks at what others want. */
const FILES_PER_STEP = 250;

interface Options {
  readonly door: Door;
  readonly clock: Clock;
  compute(options: CompareOptions): Promise<readonly ShownChange[]>;
  idOf(change: ShownChange): string;
  toFile(change: ShownChange): ChangesetFile;
}

/** A change, by which name it is told, and all of it in a form that can be compared. */
interface Shown {
  readonly id: string;
  readonly text: string;
  readonly change: ShownChange;
}

/** One changeset that somebody watches: computed when it is opened, and anew whenever its files may have changed. */
export class ChangesetChannel {
  readonly channel: Channel<'changeset'>;
  readonly #options: Options;
  readonly #abort = new AbortController();
  /** What was told of each file, by its id. */
  #told = new Map<string, string>();
  #running = false;
  #again = false;
  #isBehind = false;

  constructor(channel: Channel<'changeset'>, options: Options) {
    this.channel = channel;
    this.#options = options;
  }

  /** Computes it; while that runs, one more computation at the most is waiting. */
  async refresh(): Promise<void> {
    this.#again = this.#running;
    if (this.#running) return;
    this.#running = true;
    try {
      const { signal } = this.#abort;
      await this.#show(await this.#options.compute({ signal, onFirst: (changes) => this.#showFirst(changes) }));
    } catch (error) {
      this.#fail(error instanceof WorkspaceError ? error.message : 'The changes could not be computed.');
    }
    this.#running = false;
    if (this.#again && !this.#isClosed) await this.refresh();
  }

  /** What it shows is something else from now on: it starts from nothing. */
  restart(): void {
    this.#told.clear();
    this.#commit({ type: 'changeset/cleared' });
    this.#commit({ type: 'changeset/statusChanged', status: 'computing' });
    void this.refresh();
  }

  /** Something that was told could not be stored, and nobody got it: all of it is told again. */
  repeat(): void {
    if (this.#isClosed) return;
    this.#isBehind = true;
    void this.refresh();
  }

  /** Nobody watches it any more; what is being computed is given up. */
  close(): void {
    this.#abort.abort();
  }

  get #isClosed(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Counting a large change takes a while: its first files are there at once. */
  #showFirst(changes: readonly ShownChange[]): void {
    if (this.channel.state.status === 'ready' || this.channel.state.files.length > 0) return;
    this.#replace(changes.map((change) => this.#identified(change)));
  }

  async #show(changes: readonly ShownChange[]): Promise<void> {
    const isReady = this.channel.state.status === 'ready';
    const shown = await this.#identify(changes);
    const changed = shown.filter(({ id, text }) => this.#told.get(id) !== text);
    const ids = new Set(shown.map(({ id }) => id));
    const removed = [...this.#told.keys()].filter((id) => !ids.has(id));
    if (!isReady || this.#isBehind || changed.length + removed.length > MOST_SINGLE_UPDATES) {
      this.#replace(shown.slice(0, MOST_FILES_AT_ONCE));
      await this.#tell(shown.slice(MOST_FILES_AT_ONCE));
    } else {
      for (const id of removed) this.#remove(id);
      await this.#tell(changed);
    }
    if (this.channel.state.status !== 'ready') this.#commit({ type: 'changeset/statusChanged', status: 'ready' });
  }

  async #identify(changes: readonly ShownChange[]): Promise<Shown[]> {
    const shown: Shown[] = [];
    for (let at = 0; at < changes.length; at += FILES_PER_STEP) {
      if (at > 0) await this.#pause();
      shown.push(...changes.slice(at, at + FILES_PER_STEP).map((change) => this.#identified(change)));
    }
    return shown;
  }

  #identified(change: ShownChange): Shown {
    return { id: this.#options.idOf(change), text: JSON.stringify(change), change };
  }

  #replace(shown: readonly Shown[]): void {
    this.#isBehind = false;
    this.#told = new Map(shown.map(({ id, text }) => [id, text]));
    this.#commit({ type: 'changeset/contentChanged', files: shown.map(({ change }) => this.#options.toFile(change)) });
  }

  async #tell(shown: readonly Shown[]): Promise<void> {
    for (let at = 0; at < shown.length && !this.#isClosed; at += FILES_PER_STEP) {
      const step = shown.slice(at, at + FILES_PER_STEP);
      for (const { id, text } of step) this.#told.set(id, text);
      const actions = step.map(({ change }) => ({
        type: 'changeset/fileSet' as const,
        file: this.#options.toFile(change),
      }));
      this.#options.door.commitAll(this.channel, actions);
      if (step.length === FILES_PER_STEP) await this.#pause();
    }
  }

  #remove(id: string): void {
    this.#told.delete(id);
    this.#commit({ type: 'changeset/fileRemoved', fileId: id });
  }

  #fail(message: string): void {
    const error = { errorType: 'changesFailed', message };
    this.#commit({ type: 'changeset/statusChanged', status: 'error', error });
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.setTimeout(resolve, 0));
  }

  #commit(action: ActionOf<'changeset'>): void {
    if (!this.#isClosed) this.#options.door.commit(this.channel, action);
  }
}
