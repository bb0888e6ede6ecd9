import type { ActionOf, URI } from '@moorage/protocol';
import type { Clock } from '../../ports/clock.js';
import type { EditStep } from '../../ports/folder-editor.js';
import type { FileChange, StateId, Workspace } from '../../ports/workspace.js';
import { FolderLog, type FolderState } from './authorship/folder-log.js';
import { type OwnChangesOptions, ownChanges } from './authorship/own-changes.js';
import type { RecordedChange } from './records.js';

/** Identifies a turn: turn ids are unique only within a session. */
export interface RunningTurn {
  readonly session: URI;
  readonly turnId: string;
}

export interface RunningTurnsOptions extends Omit<OwnChangesOptions, 'nameOf'> {
  readonly clock: Clock;
}

interface Watched extends RunningTurn {
  readonly workspace: Workspace;
  readonly log: FolderLog;
  /** Undefined until the turn's first state is known. */
  begin?: FolderState;
  unwatch(): void;
}

/** The turns that run now. Knows which of the changes in their folders each of them made. */
export class RunningTurns {
  readonly #options: RunningTurnsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #logs = new Map<Workspace, { readonly log: FolderLog; unwatch(): void }>();
  #lastMoment = 0;

  constructor(options: RunningTurnsOptions) {
    this.#options = options;
  }

  /** `parent` is the turn whose sub-agent this one is. */
  watch(turn: RunningTurn, folder: URI, workspace: Workspace, parent?: RunningTurn): void {
    this.unwatch(turn);
    const log = this.#logOf(workspace);
    const key = keyOf(turn);
    const above = parent && this.has(parent) ? [keyOf(parent), ...log.above(keyOf(parent))] : [];
    log.begin({ key, above, folder });
    const unwatch = () => {
      log.end(key);
      if (log.isIdle) this.#drop(workspace);
    };
    this.#watched.set(key, { ...turn, workspace, log, unwatch });
  }

  /** The folder was in this state when the turn began, looked at since the moment `startedAt`. */
  began(turn: RunningTurn, state: StateId, startedAt: number): void {
    const watched = this.#watched.get(keyOf(turn));
    if (watched) watched.begin = watched.log.addState(state, startedAt);
  }

  /** The folder is in this state now. */
  looked(turn: RunningTurn, state: StateId, startedAt: number): void {
    this.#watched.get(keyOf(turn))?.log.addState(state, startedAt);
  }

  has(turn: RunningTurn): boolean {
    return this.#watched.has(keyOf(turn));
  }

  unwatch(turn: RunningTurn): void {
    const watched = this.#watched.get(keyOf(turn));
    this.#watched.delete(keyOf(turn));
    watched?.unwatch();
  }

  unwatchAll(): void {
    for (const turn of [...this.#watched.values()]) this.unwatch(turn);
  }

  /** Takes note of an action in the turn's chat. */
  observe(turn: RunningTurn, action: ActionOf<'chat'>): void {
    this.#watched.get(keyOf(turn))?.log.observe(keyOf(turn), action);
  }

  /** The paths that the turn may have changed, as far as the watcher has reported them. */
  touchedBy(turn: RunningTurn): string[] {
    return this.#watched.get(keyOf(turn))?.log.touchedBy(keyOf(turn)) ?? [];
  }

  /** Takes note of what an operation did. Returns the moment. */
  operated(workspace: Workspace, steps: readonly EditStep[]): number {
    this.#logs.get(workspace)?.log.operated(steps);
    return this.moment();
  }

  in(workspace: Workspace): RunningTurn[] {
    return [...this.#watched.values()].filter((watched) => watched.workspace === workspace);
  }

  /** A number for this moment, greater than all before it, also than those of an earlier run of the host. */
  moment(): number {
    this.#lastMoment = Math.max(this.#lastMoment + 1, Math.floor(this.#options.clock.now()) * 1_000);
    return this.#lastMoment;
  }

  /** Whether everything that happened since the turn began is known here. */
  isWhole(turn: RunningTurn): boolean {
    return this.#watched.get(keyOf(turn))?.begin !== undefined;
  }

  /** What the turn made of the changes between its begin and this state. */
  async ownOf(turn: RunningTurn, changes: readonly FileChange[], state: StateId): Promise<RecordedChange[]> {
    const watched = this.#watched.get(keyOf(turn));
    if (!watched?.begin) return [...changes];
    const { log, begin, workspace } = watched;
    await log.upToDate();
    const end: FolderState = { startedAt: this.moment(), endedAt: this.moment(), state };
    const nameOf = (key: string) => this.#nameOf(key);
    const scene = { key: keyOf(turn), workspace, log, looks: [...log.since(begin), end] };
    return ownChanges(scene, changes, { ...this.#options, nameOf });
  }

  /** The id of a turn, as clients know it. */
  #nameOf(key: string): string {
    return this.#watched.get(key)?.turnId ?? key.slice(key.indexOf(' ') + 1);
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

function keyOf({ session, turnId }: RunningTurn): string {
  return `${session} ${turnId}`;
}
