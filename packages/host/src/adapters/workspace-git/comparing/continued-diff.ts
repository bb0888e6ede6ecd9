import type { FileChange, StateId } from '../../../ports/workspace.js';
import { MAX_QUICK_READS } from '../limits.js';
import type { StandIns } from '../objects/placeholders.js';
import { Recent } from '../objects/recent.js';
import type { TreeDifference, Trees } from '../states/trees.js';
import { type Comparison, isEdit } from './in-process-diff.js';
import { describeChange } from './sizes.js';

/** Changes remembered over all comparisons, some ten megabytes. Larger comparisons are made anew each time. */
const MAX_REMEMBERED_CHANGES = 20_000;

interface Compared {
  readonly to: StateId;
  readonly changes: readonly FileChange[];
}

/**
 * Continues from the last comparison with the same older state. An open changeset is compared again after each edit:
 * the cost depends on the edit, not on how many files differ, and all other changes stay the very same objects.
 */
export class FollowUps {
  readonly #trees: Trees;
  readonly #comparison: Comparison;
  readonly #standIns: StandIns;
  readonly #last = new Recent<StateId, Compared>(MAX_REMEMBERED_CHANGES, ({ changes }) => 1 + changes.length);

  constructor(trees: Trees, comparison: Comparison, standIns: StandIns) {
    this.#trees = trees;
    this.#comparison = comparison;
    this.#standIns = standIns;
  }

  /**
   * Remembers a comparison, unless it has a lost content, which may come back, or a path that is not UTF-8, whose place
   * in the order is uncertain.
   */
  learn(from: StateId, to: StateId, changes: readonly FileChange[]): void {
    if (changes.length < MAX_REMEMBERED_CHANGES && !changes.some((change) => isLost(change) || isGarbled(change)))
      this.#last.set(from, { to, changes });
  }

  /** The same result as a new comparison; undefined when a new one must be made. */
  async compare(from: StateId, to: StateId): Promise<readonly FileChange[] | undefined> {
    const last = this.#last.get(from);
    if (!last) return undefined;
    if (last.to === to) return last.changes;
    let count = 0;
    const differences = await this.#trees.difference(last.to, to, (it) => isOrdinary(it) && ++count <= MAX_QUICK_READS);
    if (!differences) return undefined;
    const changes = [...last.changes];
    for (const { path, after } of differences) {
      const difference = { path, before: await this.#trees.find(from, path), after };
      // A path that exists on both sides is neither end of a move, so all moves stay as they were.
      if (!isEdit(difference)) return undefined;
      const now = isSame(difference) ? [] : await this.#change(to, difference);
      if (!now) return undefined;
      const { at, isThere } = placeOf(changes, Buffer.from(path, 'latin1'));
      changes.splice(at, isThere ? 1 : 0, ...now);
    }
    this.#last.set(from, { to, changes });
    return changes;
  }

  async #change(to: StateId, difference: TreeDifference): Promise<[FileChange] | undefined> {
    const counted = await this.#comparison.change(to, difference);
    const change = counted && describeChange(counted, NO_SIZES, this.#standIns);
    return change && !isLost(change) && !isGarbled(change) ? [change] : undefined;
  }
}

const NO_SIZES: ReadonlyMap<string, number | undefined> = new Map();

function isSame({ before, after }: TreeDifference): boolean {
  return before?.id === after?.id && before?.mode === after?.mode;
}

/** A changed .gitattributes may change how other files are compared. */
function isOrdinary(difference: TreeDifference): boolean {
  return isEdit(difference) && !difference.path.endsWith('.gitattributes');
}

/** Where a path is in the changes, or belongs: they are sorted by the bytes of their paths. */
function placeOf(changes: readonly FileChange[], path: Buffer): { at: number; isThere: boolean } {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = Buffer.compare(Buffer.from(pathOf(changes[middle])), path);
    if (order === 0) return { at: middle, isThere: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, isThere: false };
}

function pathOf(change: FileChange | undefined): string {
  return change?.after?.path ?? change?.before?.path ?? '';
}

/** Whether the path was not UTF-8. */
function isGarbled(change: FileChange): boolean {
  return pathOf(change).includes('\ufffd');
}

function isLost({ before, after }: FileChange): boolean {
  return before?.notKept?.reason === 'lost' || after?.notKept?.reason === 'lost';
}
