import type { ActionOf, ChangesetFile } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import type { Clock } from '../../ports/clock.js';
import { FolderError } from '../../ports/folders.js';
import type { Log } from '../../ports/log.js';
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
  readonly log: Log;
  compute(options: CompareOptions): Promise<readonly ShownChange[]>;
  idOf(change: ShownChange): string;
  toFile(change: ShownChange): ChangesetFile;
}

/** A change, and by which name it is told. */
interface Shown {
  readonly id: string;
  readonly change: ShownChange;
}

/** One changeset that somebody watches: computed when it is opened, and anew whenever its files may have changed. */
export class ChangesetChannel {
  readonly channel: Channel<'changeset'>;
  readonly #options: Options;
  readonly #abort = new AbortController();
  /** What was told of each file, by its id; and the ids of these very objects, which most of the next answer will be. */
  readonly #told = new Map<string, ShownChange>();
  readonly #ids = new Map<ShownChange, string>();
  #running = false;
  #again = false;
  #hasBegun = false;
  #isBehind = false;
  /** Why it could not be computed the last time, for reasons that are the host's own; said once, not at each look. */
  #unexpected: string | undefined;

  constructor(channel: Channel<'changeset'>, options: Options) {
    this.channel = channel;
    this.#options = options;
  }

  /** Computes it; while that runs, one more computation at the most is waiting. */
  async refresh(): Promise<void> {
    this.#again = true;
    if (this.#running) return;
    this.#running = true;
    while (this.#again && !this.#isClosed) {
      this.#again = false;
      await this.#refreshOnce().catch((error: unknown) => this.#failed(error));
    }
    this.#running = false;
  }

  /** The first time, unless something else was the reason for that already. */
  begin(): void {
    if (!this.#hasBegun) void this.refresh();
  }

  async #refreshOnce(): Promise<void> {
    this.#hasBegun = true;
    const { signal } = this.#abort;
    await this.#show(await this.#options.compute({ signal, onFirst: (changes) => this.#showFirst(changes) }));
    this.#unexpected = undefined;
  }

  /** What it shows is something else from now on: it starts from nothing. */
  restart(): void {
    this.#forget();
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
    const fresh = await this.#identify(changes.filter((change) => !this.#ids.has(change)));
    const changed = fresh.filter(({ id, change }) => isOther(this.#told.get(id), change));
    const removed = this.#gone(changes, fresh);
    if (!isReady || this.#isBehind || changed.length + removed.length > MOST_SINGLE_UPDATES) {
      const shown = await this.#identify(changes);
      this.#replace(shown.slice(0, MOST_FILES_AT_ONCE));
      await this.#tell(shown.slice(MOST_FILES_AT_ONCE));
    } else {
      for (const id of removed) this.#remove(id);
      for (const one of fresh) this.#remember(one);
      await this.#tell(changed);
    }
    if (this.channel.state.status !== 'ready') this.#commit({ type: 'changeset/statusChanged', status: 'ready' });
  }

  /** The ids of what was told and is not in the answer any more. After most edits that is nothing. */
  #gone(changes: readonly ShownChange[], fresh: readonly Shown[]): string[] {
    const known = fresh.filter(({ id }) => this.#told.has(id)).length;
    if (changes.length - fresh.length + known === this.#told.size) return [];
    const left = new Set([...changes.map((change) => this.#ids.get(change)), ...fresh.map(({ id }) => id)]);
    return [...this.#told.keys()].filter((id) => !left.has(id));
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
    return { id: this.#ids.get(change) ?? this.#options.idOf(change), change };
  }

  #remember({ id, change }: Shown): void {
    this.#drop(id);
    this.#told.set(id, change);
    this.#ids.set(change, id);
  }

  #drop(id: string): void {
    const change = this.#told.get(id);
    if (change) this.#ids.delete(change);
    this.#told.delete(id);
  }

  #forget(): void {
    this.#told.clear();
    this.#ids.clear();
  }

  #replace(shown: readonly Shown[]): void {
    this.#isBehind = false;
    this.#forget();
    for (const one of shown) this.#remember(one);
    this.#commit({ type: 'changeset/contentChanged', files: shown.map(({ change }) => this.#options.toFile(change)) });
  }

  async #tell(shown: readonly Shown[]): Promise<void> {
    for (let at = 0; at < shown.length && !this.#isClosed; at += FILES_PER_STEP) {
      const step = shown.slice(at, at + FILES_PER_STEP);
      for (const one of step) this.#remember(one);
      const actions = step.map(({ change }) => ({
        type: 'changeset/fileSet' as const,
        file: this.#options.toFile(change),
      }));
      this.#options.door.commitAll(this.channel, actions);
      if (step.length === FILES_PER_STEP) await this.#pause();
    }
  }

  #remove(id: string): void {
    this.#drop(id);
    this.#commit({ type: 'changeset/fileRemoved', fileId: id });
  }

  #failed(error: unknown): void {
    const isExpected = error instanceof WorkspaceError || error instanceof FolderError;
    if (!isExpected) this.#logOnce(error);
    const message = isExpected ? error.message : 'The changes could not be computed. The log of the host says why.';
    this.#commit({ type: 'changeset/statusChanged', status: 'error', error: { errorType: 'changesFailed', message } });
  }

  #logOnce(error: unknown): void {
    const cause = String(error);
    if (this.#isClosed || cause === this.#unexpected) return;
    this.#unexpected = cause;
    const stack = error instanceof Error ? error.stack : cause;
    this.#options.log.write('error', 'a changeset could not be computed', { channel: this.channel.uri, error: stack });
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.setTimeout(resolve, 0));
  }

  #commit(action: ActionOf<'changeset'>): void {
    if (!this.#isClosed) this.#options.door.commit(this.channel, action);
  }
}

function isOther(told: ShownChange | undefined, change: ShownChange): boolean {
  return told === undefined || JSON.stringify(told) !== JSON.stringify(change);
}
