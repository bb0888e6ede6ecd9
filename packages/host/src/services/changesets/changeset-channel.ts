import type { ActionOf, ChangesetFile } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { CommittingDoor } from '../../core/door-parts.js';
import type { Clock } from '../../ports/clock.js';
import { FolderError } from '../../ports/folders.js';
import type { Log } from '../../ports/log.js';
import { type CompareOptions, WorkspaceError } from '../../ports/workspace.js';
import type { ShownChange } from './notes.js';

/**
 * If more files than this changed, and they are most of the list, the whole list is sent instead of single files: a branch
 * switch is one message.
 */
const MOST_SINGLE_UPDATES = 50;

/** Files in one message. The rest of a longer list follows file by file, and other work gets its turn in between. */
const MOST_FILES_AT_ONCE = 1_000;

/** Files that are removed one by one: each removal costs every client a copy of the list. */
const MOST_SINGLE_REMOVALS = 1_000;

/** Files that are processed before other work gets its turn. */
const FILES_PER_STEP = 250;

interface Options {
  readonly door: CommittingDoor;
  readonly clock: Clock;
  readonly log: Log;
  compute(options: CompareOptions): Promise<readonly ShownChange[]>;
  idOf(change: ShownChange): string;
  toFile(change: ShownChange): ChangesetFile;
  /** All of these have been sent. */
  onShown?(changes: readonly ShownChange[]): void;
}

/** A change, and the file id under which clients know it. */
interface Identified {
  readonly id: string;
  readonly change: ShownChange;
}

/** A changeset with subscribers: computed when it is opened, and again whenever its files may have changed. */
export class ChangesetChannel {
  readonly channel: Channel<'changeset'>;
  readonly #options: Options;
  readonly #abort = new AbortController();
  /** What was last sent of each file, by file id. */
  readonly #sent = new Map<string, ShownChange>();
  /** The ids of the sent objects: most of them are in the next result too, and need not be identified again. */
  readonly #ids = new Map<ShownChange, string>();
  #running = false;
  #again = false;
  #hasBegun = false;
  /** Something that was sent got lost, so the next refresh sends everything. */
  #isBehind = false;
  /** The last failure that was logged, so that the same one is not logged at every refresh. */
  #lastLogged: string | undefined;
  readonly #ifLost = { again: () => this.#sendAgain() };

  constructor(channel: Channel<'changeset'>, options: Options) {
    this.channel = channel;
    this.#options = options;
  }

  /** Computes the changeset. However often this is called meanwhile, only one more computation follows. */
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

  /** Computes the changeset for the first time, unless something else has already caused that. */
  begin(): void {
    if (!this.#hasBegun) void this.refresh();
  }

  async #refreshOnce(): Promise<void> {
    this.#hasBegun = true;
    const { signal } = this.#abort;
    const changes = await this.#options.compute({ signal, onFirst: (first) => this.#showFirst(first) });
    await this.#show(changes);
    if (!this.#isClosed) this.#options.onShown?.(changes);
    this.#lastLogged = undefined;
  }

  /** Empties the changeset and computes it from scratch, because it is now measured against something else. */
  restart(): void {
    this.#forget();
    this.#commit({ type: 'changeset/cleared' });
    this.#commit({ type: 'changeset/statusChanged', status: 'computing' });
    void this.refresh();
  }

  /** Sends the whole list again, because an action could not be stored and reached nobody. */
  #sendAgain(): void {
    if (this.#isClosed) return;
    this.#isBehind = true;
    void this.refresh();
  }

  /** Aborts a running computation; nothing is committed any more. */
  close(): void {
    this.#abort.abort();
  }

  get #isClosed(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Shows the first files of a large change at once, because counting its lines takes a while. */
  #showFirst(changes: readonly ShownChange[]): void {
    if (this.#isComplete) this.#recomputing();
    else if (this.channel.state.files.length === 0) this.#replace(changes.map((change) => this.#withId(change)));
  }

  async #show(changes: readonly ShownChange[]): Promise<void> {
    const fresh = await this.#identify(changes.filter((change) => !this.#ids.has(change)));
    const changed = fresh.filter(({ id, change }) => isDifferent(this.#sent.get(id), change));
    const removed = this.#removedIds(changes, fresh);
    const updates = changed.length + removed.length;
    const isMost = updates > MOST_SINGLE_UPDATES && updates >= changes.length;
    if (!this.#isComplete || this.#isBehind || isMost || removed.length > MOST_SINGLE_REMOVALS) {
      const shown = await this.#identify(changes);
      if (shown.length > MOST_FILES_AT_ONCE) this.#recomputing();
      this.#replace(shown.slice(0, MOST_FILES_AT_ONCE));
      await this.#send(shown.slice(MOST_FILES_AT_ONCE));
    } else {
      if (updates > FILES_PER_STEP) this.#recomputing();
      this.#remove(removed);
      for (const one of fresh) this.#remember(one);
      await this.#send(changed);
    }
    if (this.channel.state.status !== 'ready') this.#commit({ type: 'changeset/statusChanged', status: 'ready' });
  }

  /** Whether clients have had all files, as of some moment. */
  get #isComplete(): boolean {
    const { status } = this.channel.state;
    return status === 'ready' || status === 'recomputing';
  }

  /** Says that the files which clients have are not all as they are now, before an update that takes several messages. */
  #recomputing(): void {
    if (this.channel.state.status === 'ready') this.#commit({ type: 'changeset/statusChanged', status: 'recomputing' });
  }

  /** The ids of files that were sent and are no longer in the result. After most edits there are none. */
  #removedIds(changes: readonly ShownChange[], fresh: readonly Identified[]): string[] {
    const replaced = fresh.filter(({ id }) => this.#sent.has(id)).length;
    if (changes.length - fresh.length + replaced === this.#sent.size) return [];
    const remaining = new Set([...changes.map((change) => this.#ids.get(change)), ...fresh.map(({ id }) => id)]);
    return [...this.#sent.keys()].filter((id) => !remaining.has(id));
  }

  async #identify(changes: readonly ShownChange[]): Promise<Identified[]> {
    const shown: Identified[] = [];
    for (let at = 0; at < changes.length; at += FILES_PER_STEP) {
      if (at > 0) await this.#pause();
      shown.push(...changes.slice(at, at + FILES_PER_STEP).map((change) => this.#withId(change)));
    }
    return shown;
  }

  #withId(change: ShownChange): Identified {
    return { id: this.#ids.get(change) ?? this.#options.idOf(change), change };
  }

  #remember({ id, change }: Identified): void {
    this.#drop(id);
    this.#sent.set(id, change);
    this.#ids.set(change, id);
  }

  #drop(id: string): void {
    const change = this.#sent.get(id);
    if (change) this.#ids.delete(change);
    this.#sent.delete(id);
  }

  #forget(): void {
    this.#sent.clear();
    this.#ids.clear();
  }

  #replace(shown: readonly Identified[]): void {
    this.#isBehind = false;
    this.#forget();
    for (const one of shown) this.#remember(one);
    this.#commit({ type: 'changeset/contentChanged', files: shown.map(({ change }) => this.#options.toFile(change)) });
  }

  async #send(shown: readonly Identified[]): Promise<void> {
    for (let at = 0; at < shown.length && !this.#isClosed; at += FILES_PER_STEP) {
      const step = shown.slice(at, at + FILES_PER_STEP);
      for (const one of step) this.#remember(one);
      const actions = step.map(({ change }) => ({
        type: 'changeset/fileSet' as const,
        file: this.#options.toFile(change),
      }));
      this.#options.door.commitAll(this.channel, actions, this.#ifLost);
      if (step.length === FILES_PER_STEP) await this.#pause();
    }
  }

  #remove(ids: readonly string[]): void {
    for (const id of ids) this.#drop(id);
    const actions = ids.map((fileId) => ({ type: 'changeset/fileRemoved' as const, fileId }));
    if (!this.#isClosed) this.#options.door.commitAll(this.channel, actions, this.#ifLost);
  }

  #failed(error: unknown): void {
    const isExpected = error instanceof WorkspaceError || error instanceof FolderError;
    if (!isExpected) this.#logOnce(error);
    const message = isExpected ? error.message : "The changes could not be computed. The host's log says why.";
    this.#commit({ type: 'changeset/statusChanged', status: 'error', error: { errorType: 'changesFailed', message } });
  }

  #logOnce(error: unknown): void {
    const cause = String(error);
    if (this.#isClosed || cause === this.#lastLogged) return;
    this.#lastLogged = cause;
    const stack = error instanceof Error ? error.stack : cause;
    this.#options.log.write('error', 'changeset.compute-failed', 'computing a changeset failed', {
      channel: this.channel.uri,
      error: stack,
    });
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.setTimeout(resolve, 0));
  }

  #commit(action: ActionOf<'changeset'>): void {
    if (!this.#isClosed) this.#options.door.commit(this.channel, action, this.#ifLost);
  }
}

function isDifferent(sent: ShownChange | undefined, change: ShownChange): boolean {
  return sent === undefined || JSON.stringify(sent) !== JSON.stringify(change);
}
