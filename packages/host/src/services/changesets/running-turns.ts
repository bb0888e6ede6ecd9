import type { ActionOf, URI } from '@moorage/protocol';
import type { Clock } from '../../ports/clock.js';
import type { FileChange, Workspace } from '../../ports/workspace.js';
import { TurnWatch } from './turn-watch.js';

/** Identifies a turn: turn ids are unique only within a session. */
export interface RunningTurn {
  readonly session: URI;
  readonly turnId: string;
}

interface Watched extends RunningTurn {
  readonly watch: TurnWatch;
  readonly workspace: Workspace;
  unwatch(): void;
}

/** The turns that run now. Knows which of the changes in their folders each of them made. */
export class RunningTurns {
  readonly #clock: Clock;
  readonly #watched = new Map<string, Watched>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(turn: RunningTurn, folder: URI, workspace: Workspace): void {
    const watch = new TurnWatch(folder, () => this.#clock.now());
    const unwatch = workspace.watch({ touched: (paths) => watch.touched(paths) });
    this.#watched.set(keyOf(turn), { ...turn, watch, workspace, unwatch });
  }

  has(turn: RunningTurn): boolean {
    return this.#watched.has(keyOf(turn));
  }

  unwatch(turn: RunningTurn): void {
    this.#watched.get(keyOf(turn))?.unwatch();
    this.#watched.delete(keyOf(turn));
  }

  unwatchAll(): void {
    for (const turn of [...this.#watched.values()]) this.unwatch(turn);
  }

  /** Takes note of an action in the turn's chat. */
  observe(turn: RunningTurn, action: ActionOf<'chat'>): void {
    this.#watched.get(keyOf(turn))?.watch.observe(action);
  }

  in(workspace: Workspace): RunningTurn[] {
    return [...this.#watched.values()].filter((watched) => watched.workspace === workspace);
  }

  /** Those of the changes that the turn made. `sharedWith` names other turns that were changing the same file. */
  ownOf(turn: RunningTurn, changes: readonly FileChange[]): FileChange[] {
    const mine = this.#watched.get(keyOf(turn));
    if (!mine) return [...changes];
    const others = [...this.#watched.values()].filter((other) => other !== mine && other.workspace === mine.workspace);
    return changes
      .filter((change) => mine.watch.mayHaveMade(change))
      .map((change) => {
        const sharedWith = others.filter(({ watch }) => watch.touchedWhileBusy(change)).map(({ turnId }) => turnId);
        return sharedWith.length > 0 ? { ...change, sharedWith } : change;
      });
  }
}

function keyOf({ session, turnId }: RunningTurn): string {
  return `${session} ${turnId}`;
}
