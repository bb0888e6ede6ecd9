import type { FileChange, StateId } from '../../../ports/workspace.js';
import { MAX_IN_PROCESS_COUNTS } from '../limits.js';
import type { Placeholders } from '../objects/placeholders.js';
import { Recent } from '../objects/recent.js';
import type { TreeDifference, Trees } from '../states/trees.js';
import { isNotHere, type NotHere, type NotHereReason, notHere } from '../tiers.js';
import { type InProcessDiff, isEdit } from './in-process-diff.js';
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
export class ContinuedDiff {
  readonly #trees: Trees;
  readonly #inProcess: InProcessDiff;
  readonly #placeholders: Placeholders;
  readonly #last = new Recent<StateId, Compared>(MAX_REMEMBERED_CHANGES, ({ changes }) => 1 + changes.length);

  constructor(trees: Trees, inProcess: InProcessDiff, placeholders: Placeholders) {
    this.#trees = trees;
    this.#inProcess = inProcess;
    this.#placeholders = placeholders;
  }

  /**
   * Remembers a comparison, unless it has a lost content, which may come back, or a path that is not UTF-8, whose place
   * in the order is uncertain.
   */
  learn(from: StateId, to: StateId, changes: readonly FileChange[]): void {
    if (changes.length < MAX_REMEMBERED_CHANGES && !changes.some((change) => isLost(change) || isGarbled(change)))
      this.#last.set(from, { to, changes });
  }

  /** The same result as a new comparison. */
  async compare(from: StateId, to: StateId): Promise<readonly FileChange[] | NotHere> {
    const last = this.#last.get(from);
    if (!last) return notHere('nothing-known');
    if (last.to === to) return last.changes;
    let count = 0;
    let reason: NotHereReason = 'too-many';
    const differences = await this.#trees.difference(last.to, to, (it) => {
      if (!isEdit(it)) reason = 'may-be-renamed';
      // How other files are compared may have changed with it.
      else if (it.path.endsWith('.gitattributes')) reason = 'attributes';
      else return ++count <= MAX_IN_PROCESS_COUNTS;
      return false;
    });
    if (!differences) return notHere(reason);
    const changes = [...last.changes];
    for (const { path, after } of differences) {
      const difference = { path, before: await this.#trees.find(from, path), after };
      // A path that exists on both sides is neither end of a move, so all moves stay as they were.
      if (!isEdit(difference)) return notHere('may-be-renamed');
      const now = isSame(difference) ? [] : await this.#change(to, difference);
      if (isNotHere(now)) return now;
      const { at, isThere } = search(changes, Buffer.from(path, 'latin1'));
      changes.splice(at, isThere ? 1 : 0, ...now);
    }
    this.#last.set(from, { to, changes });
    return changes;
  }

  async #change(to: StateId, difference: TreeDifference): Promise<[FileChange] | NotHere> {
    const counted = await this.#inProcess.change(to, difference);
    if (isNotHere(counted)) return counted;
    const change = describeChange(counted, NO_SIZES, this.#placeholders);
    if (isLost(change)) return notHere('object-missing');
    return isGarbled(change) ? notHere('not-utf8') : [change];
  }
}

const NO_SIZES: ReadonlyMap<string, number | undefined> = new Map();

function isSame({ before, after }: TreeDifference): boolean {
  return before?.id === after?.id && before?.mode === after?.mode;
}

/** Where a path is in the changes, or belongs: they are sorted by the bytes of their paths. */
function search(changes: readonly FileChange[], path: Buffer): { at: number; isThere: boolean } {
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
