import type { ActionOf, URI } from '@ahpd/protocol';
import type { Clock } from '../../ports/clock.js';
import type { FileChange, Workspace } from '../../ports/workspace.js';
import { TurnWatch } from './turn-watch.js';

interface Watched {
  readonly watch: TurnWatch;
  readonly workspace: Workspace;
  unwatch(): void;
}

/** The turns that run now, and which of the changes in their folders are theirs. */
export class RunningTurns {
  readonly #clock: Clock;
  readonly #watched = new Map<string, Watched>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(folder: URI, workspace: Workspace, turnId: string): void {
    const watch = new TurnWatch(folder, () => this.#clock.now());
    const unwatch = workspace.watch({ touched: (paths) => watch.touched(paths) });
    this.#watched.set(turnId, { watch, workspace, unwatch });
  }

  has(turnId: string): boolean {
    return this.#watched.has(turnId);
  }

  unwatch(turnId: string): void {
    this.#watched.get(turnId)?.unwatch();
    this.#watched.delete(turnId);
  }

  unwatchAll(): void {
    for (const turnId of [...this.#watched.keys()]) this.unwatch(turnId);
  }

  /** An action of a turn's chat. */
  saw(turnId: string, action: ActionOf<'chat'>): void {
    this.#watched.get(turnId)?.watch.saw(action);
  }

  in(workspace: Workspace): string[] {
    return [...this.#watched].filter(([, watched]) => watched.workspace === workspace).map(([turnId]) => turnId);
  }

  /** The changes that are the turn's own; where another turn was at work on the same file, it is named. */
  ownOf(turnId: string, changes: readonly FileChange[]): FileChange[] {
    const mine = this.#watched.get(turnId);
    if (!mine) return [...changes];
    const others = [...this.#watched].filter(([id, { workspace }]) => id !== turnId && workspace === mine.workspace);
    return changes
      .filter((change) => mine.watch.made(change))
      .map((change) => {
        const sharedWith = others.filter(([, { watch }]) => watch.touchedWhileBusy(change)).map(([id]) => id);
        return sharedWith.length > 0 ? { ...change, sharedWith } : change;
      });
  }
}
