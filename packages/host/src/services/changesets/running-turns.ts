import type { ActionOf, URI } from '@moorage/protocol';
import type { Clock } from '../../ports/clock.js';
import type { EditStep } from '../../ports/folder-editor.js';
import type { FileChange, StateId, Workspace } from '../../ports/workspace.js';
import { FolderLog, type FolderState } from './authorship/folder-log.js';
import { type OwnChangesOptions, ownChanges } from './authorship/own-changes.js';
import type { RecordedChange } from './records.js';
import type { SessionFolder } from './session-folders.js';

/** Identifies a turn: turn ids are unique only within a session. */
export interface RunningTurn {
  readonly session: URI;
  readonly turnId: string;
}

export interface RunningTurnsOptions extends Omit<OwnChangesOptions, 'nameOf'> {
  readonly clock: Clock;
}

/** A turn in one of the folders of its session. */
interface Watched extends RunningTurn {
  readonly workspace: Workspace;
  readonly log: FolderLog;
  /** Undefined until the first state of the folder is known. */
  begin?: FolderState;
  unwatch(): void;
}

/** The turns that run now. Knows which of the changes in their folders each of them made. */
export class RunningTurns {
  readonly #options: RunningTurnsOptions;
  readonly #watched = new Map<string, ReadonlyMap<Workspace, Watched>>();
  readonly #logs = new Map<Workspace, { readonly log: FolderLog; unwatch(): void }>();
  #lastMoment = 0;

  constructor(options: RunningTurnsOptions) {
    this.#options = options;
  }

  /** Watches the folders that the turn may change. `parent` is the turn whose sub-agent this one is. */
  watch(turn: RunningTurn, folders: readonly SessionFolder[], parent?: RunningTurn): void {
    this.unwatch(turn);
    const uris = folders.map(({ uri }) => uri);
    const watched = folders.map((folder) => this.#watch(turn, folder, uris, parent));
    this.#watched.set(keyOf(turn), new Map(watched.map((one) => [one.workspace, one])));
  }

  /** The folder was in this state when the turn began, looked at since the moment `startedAt`. */
  began(turn: RunningTurn, workspace: Workspace, state: StateId, startedAt: number): void {
    const watched = this.#in(turn, workspace);
    if (watched) watched.begin = watched.log.addState(state, startedAt);
  }

  /** The folder is in this state now. */
  sawState(turn: RunningTurn, workspace: Workspace, state: StateId, startedAt: number): void {
    this.#in(turn, workspace)?.log.addState(state, startedAt);
  }

  has(turn: RunningTurn): boolean {
    return this.#watched.has(keyOf(turn));
  }

  unwatch(turn: RunningTurn): void {
    const watched = [...(this.#watched.get(keyOf(turn))?.values() ?? [])];
    this.#watched.delete(keyOf(turn));
    for (const one of watched) one.unwatch();
  }

  unwatchAll(): void {
    for (const turn of this.#all()) this.unwatch(turn);
  }

  /** Takes note of an action in the turn's chat. */
  observe(turn: RunningTurn, action: ActionOf<'chat'>): void {
    for (const { log } of this.#watched.get(keyOf(turn))?.values() ?? []) log.observe(keyOf(turn), action);
  }

  /** The paths in a folder that the turn may have changed, as far as the watcher has reported them. */
  touchedBy(turn: RunningTurn, workspace: Workspace): string[] {
    return this.#in(turn, workspace)?.log.touchedBy(keyOf(turn)) ?? [];
  }

  /** Whether the turn may have changed a path, as far as the watcher has reported it. */
  isTouchedBy(turn: RunningTurn, workspace: Workspace, path: string): boolean {
    return this.#in(turn, workspace)?.log.isTouchedBy(keyOf(turn), path) ?? false;
  }

  /** Takes note of what an operation did. Returns the moment. */
  operated(workspace: Workspace, steps: readonly EditStep[]): number {
    this.#logs.get(workspace)?.log.operated(steps);
    return this.moment();
  }

  in(workspace: Workspace): RunningTurn[] {
    return this.#all().filter((watched) => watched.workspace === workspace);
  }

  /** A number for this moment, greater than all before it, also than those of an earlier run of the host. */
  moment(): number {
    this.#lastMoment = Math.max(this.#lastMoment + 1, Math.floor(this.#options.clock.now()) * 1_000);
    return this.#lastMoment;
  }

  /** Whether everything that happened in the folder since the turn began is known here. */
  isWhole(turn: RunningTurn, workspace: Workspace): boolean {
    return this.#in(turn, workspace)?.begin !== undefined;
  }

  /** What the turn made of the changes between its begin and this state of a folder. */
  async ownOf(
    turn: RunningTurn,
    workspace: Workspace,
    changes: readonly FileChange[],
    state: StateId,
  ): Promise<RecordedChange[]> {
    const watched = this.#in(turn, workspace);
    if (!watched?.begin) return [...changes];
    const { log, begin } = watched;
    await log.upToDate();
    const end: FolderState = { startedAt: this.moment(), endedAt: this.moment(), state };
    const scene = { key: keyOf(turn), workspace, log, states: [...log.since(begin), end] };
    return ownChanges(scene, changes, { ...this.#options, nameOf });
  }

  #all(): Watched[] {
    return [...this.#watched.values()].flatMap((folders) => [...folders.values()]);
  }

  #in(turn: RunningTurn, workspace: Workspace): Watched | undefined {
    return this.#watched.get(keyOf(turn))?.get(workspace);
  }

  #watch(
    turn: RunningTurn,
    { uri, workspace }: SessionFolder,
    folders: readonly URI[],
    parent: RunningTurn | undefined,
  ): Watched {
    const log = this.#logOf(workspace);
    const key = keyOf(turn);
    const above = parent && this.#in(parent, workspace) ? [keyOf(parent), ...log.above(keyOf(parent))] : [];
    log.begin({ key, above, folder: uri, folders });
    const unwatch = () => {
      log.end(key);
      if (log.isIdle) this.#drop(workspace);
    };
    return { ...turn, workspace, log, unwatch };
  }

  #logOf(workspace: Workspace): FolderLog {
    const known = this.#logs.get(workspace);
    if (known) return known.log;
    const log = new FolderLog(
      this.#options.clock,
      () => this.moment(),
      (onCaughtUp) => workspace.quickCheckpoint({ freshness: 'exact', onCaughtUp }),
    );
    const unwatch = workspace.watch({ touched: (paths) => log.touched(paths), settled: () => log.settled() });
    this.#logs.set(workspace, { log, unwatch });
    return log;
  }

  #drop(workspace: Workspace): void {
    this.#logs.get(workspace)?.unwatch();
    this.#logs.delete(workspace);
  }
}

/** The id of a turn, as clients know it. */
function nameOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

function keyOf({ session, turnId }: RunningTurn): string {
  return `${session} ${turnId}`;
}
