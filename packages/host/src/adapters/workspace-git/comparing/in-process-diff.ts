import { SUBMODULE } from '../../../ports/file-modes.js';
import type { FileChange, FileVersion, StateId } from '../../../ports/workspace.js';
import { MAX_IN_PROCESS_COUNTS, MAX_IN_PROCESS_DIFFERENCES, MAX_IN_PROCESS_FILE_BYTES } from '../limits.js';
import type { ObjectReader } from '../objects/object-reader.js';
import type { ObjectWriter } from '../objects/object-writer.js';
import { Recent } from '../objects/recent.js';
import { pathBytes, pathText, type TreeDifference, type TreeEntry, type Trees } from '../states/trees.js';
import { isNotHere, type NotHere, notHere } from '../tiers.js';
import type { Attributes } from './attributes.js';
import { countLines } from './line-counts.js';

/**
 * No member is optional: thousands of these are remembered, and objects of differing shapes take five times as much
 * memory.
 */
interface Counted {
  readonly added: number | undefined;
  readonly removed: number | undefined;
  readonly beforeSize: number | undefined;
  readonly afterSize: number | undefined;
}

/** Pairs of contents whose counts are remembered: the most that an in-process comparison may show, plus some edits. */
const MAX_COUNTED_PAIRS = 6_000;

/** Older states whose moved files are remembered: one for each open changeset. */
const MAX_MOVES = 64;

/**
 * Compares two states without starting git, where the answer is certain to be git's own. Usually one file was edited
 * since the last comparison and the lines of all others have been counted before.
 */
export class InProcessDiff {
  readonly #trees: Trees;
  readonly #reader: ObjectReader;
  readonly #writer: ObjectWriter;
  readonly #attributes: Attributes;
  readonly #pairs = new Recent<string, Counted>(MAX_COUNTED_PAIRS);
  /** What git found created, deleted and moved, by older state. The same set of files has the same moves next time. */
  readonly #moves = new Recent<StateId, { key: string; changes: readonly FileChange[] }>(MAX_MOVES);

  constructor(trees: Trees, reader: ObjectReader, writer: ObjectWriter, attributes: Attributes) {
    this.#trees = trees;
    this.#reader = reader;
    this.#writer = writer;
    this.#attributes = attributes;
  }

  async compare(from: StateId, to: StateId): Promise<FileChange[] | NotHere> {
    const known = this.#moves.get(from);
    let [all, uncounted] = [0, 0];
    const differences = await this.#trees.difference(from, to, (it) => {
      // Files that came and went need no count if git has already been asked about the same ones.
      const isCounted = isEdit(it) ? this.#pairs.get(pairOf(it)) : known;
      if (!isCounted) uncounted++;
      return ++all <= MAX_IN_PROCESS_DIFFERENCES && uncounted <= MAX_IN_PROCESS_COUNTS;
    });
    if (!differences) return notHere('too-many');
    const others = differences.filter((difference) => !isEdit(difference));
    const sameMoves = known?.key === keyOf(others);
    if (!sameMoves && mayMove(others)) return notHere('may-be-renamed');
    const inPlace = sameMoves ? differences.filter(isEdit) : differences;
    if (inPlace.filter((difference) => !this.#pairs.get(pairOf(difference))).length > MAX_IN_PROCESS_COUNTS)
      return notHere('too-many');
    const changes: FileChange[] = sameMoves ? [...known.changes] : [];
    for (const difference of inPlace) {
      const change = await this.change(to, difference);
      if (isNotHere(change)) return change;
      changes.push(change);
    }
    return sorted(changes);
  }

  /** The changed files without counts, for those who want to see them while git counts; or none if git must say more. */
  async uncounted(from: StateId, to: StateId): Promise<FileChange[]> {
    let all = 0;
    const differences = await this.#trees.difference(from, to, () => ++all <= MAX_IN_PROCESS_DIFFERENCES);
    if (!differences || mayMove(differences.filter((it) => !isEdit(it)))) return [];
    return sorted(differences.map((difference) => toChange(difference, NO_COUNTS)));
  }

  /** One difference with its lines counted. */
  async change(to: StateId, difference: TreeDifference): Promise<FileChange | NotHere> {
    const pair = pairOf(difference);
    const known = this.#pairs.get(pair);
    const counted = known ?? (await this.#count(to, difference));
    if (isNotHere(counted)) return counted;
    if (!known) this.#pairs.set(pair, counted);
    return toChange(difference, counted);
  }

  /** Remembers what git found, so that the next comparison need not ask git again. */
  learn(from: StateId, changes: readonly FileChange[]): void {
    if (changes.length > MAX_IN_PROCESS_DIFFERENCES) return;
    const others: TreeDifference[] = [];
    const moves: FileChange[] = [];
    for (const change of changes) {
      const differences = differencesOf(change);
      const [difference] = differences;
      if (!difference || !isEdit(difference)) {
        others.push(...differences);
        moves.push(change);
        continue;
      }
      const { added, removed, before, after } = change;
      this.#pairs.set(pairOf(difference), { added, removed, beforeSize: before?.size, afterSize: after?.size });
    }
    this.#moves.set(from, { key: keyOf(others), changes: moves });
  }

  /** The line counts of one change; empty if a content is missing or too large. */
  async countContents({ before, after }: FileChange): Promise<{ added?: number; removed?: number }> {
    const contents = [before, after].map((it) => it && this.#reader.read(it.contentId));
    const [older, newer] = await Promise.all(contents.map(async (it) => (it ? (await it)?.content : Buffer.alloc(0))));
    if (!older || !newer || Math.max(older.length, newer.length) > MAX_IN_PROCESS_FILE_BYTES) return {};
    const counts = countLines(older, newer);
    return counts === 'binary' || !counts ? {} : counts;
  }

  async #count(to: StateId, { path, before, after }: TreeDifference): Promise<Counted | NotHere> {
    if (await this.#attributes.decideHowToDiff(to, path)) return notHere('attributes');
    const [older, newer] = await Promise.all([this.#content(before), this.#content(after)]);
    if (!older || !newer) return notHere('object-missing');
    if (Math.max(older.length, newer.length) > MAX_IN_PROCESS_FILE_BYTES) return notHere('too-large');
    const counts = before?.id === after?.id ? { added: 0, removed: 0 } : countLines(older, newer);
    if (!counts) return notHere('line-counts');
    const { added, removed } = counts === 'binary' ? NOT_COUNTED : counts;
    return { added, removed, beforeSize: before && older.length, afterSize: after && newer.length };
  }

  async #content(entry: TreeEntry | undefined): Promise<Buffer | undefined> {
    if (!entry) return Buffer.alloc(0);
    const known = this.#writer.remembered(entry.id);
    if (known) return known;
    const content = (await this.#reader.read(entry.id))?.content;
    if (content) this.#writer.remember(entry.id, content); // the next edit has the same older side
    return content;
  }
}

const NO_COUNTS: Counted = { added: undefined, removed: undefined, beforeSize: undefined, afterSize: undefined };
const NOT_COUNTED = { added: undefined, removed: undefined };

/** Where a change makes two trees differ: at one path, or at two if the file was moved. */
function differencesOf({ before, after }: FileChange): TreeDifference[] {
  const entry = (it: FileVersion | undefined) => it && { mode: it.mode, id: it.contentId };
  const at = (path: string, older?: FileVersion, newer?: FileVersion): TreeDifference => ({
    path: pathBytes(path),
    before: entry(older),
    after: entry(newer),
  });
  if (before && after && before.path !== after.path) return [at(before.path, before), at(after.path, undefined, after)];
  return [at(after?.path ?? before?.path ?? '', before, after)];
}

/** Whether the path holds the same kind of file on both sides. */
export function isEdit({ before, after }: TreeDifference): boolean {
  return before !== undefined && after !== undefined && kindOf(before) === kindOf(after) && !isSubmodule(before);
}

/** A file that came may be one that went. Submodules and changes of kind are also left to git. */
function mayMove(others: readonly TreeDifference[]): boolean {
  const came = others.some(({ before }) => !before);
  const went = others.some(({ after }) => !after);
  const isOdd = ({ before, after }: TreeDifference) =>
    (before && after) || (before && isSubmodule(before)) || (after && isSubmodule(after));
  return (came && went) || others.some(isOdd);
}

/** The modes of regular files, executable or not, begin with 100; those of links with 120. */
function kindOf({ mode }: TreeEntry): string {
  return mode.slice(0, 3);
}

function isSubmodule({ mode }: TreeEntry): boolean {
  return mode === SUBMODULE;
}

function pairOf({ before, after }: TreeDifference): string {
  return `${before?.id ?? ''} ${after?.id ?? ''}`;
}

function keyOf(differences: readonly TreeDifference[]): string {
  return differences
    .map((it) => `${it.path} ${it.before?.mode} ${it.after?.mode} ${pairOf(it)}`)
    .sort()
    .join('\0');
}

function toChange({ path, before, after }: TreeDifference, counted: Counted): FileChange {
  const { added, removed, beforeSize, afterSize } = counted;
  const side = ({ mode, id }: TreeEntry, size: number | undefined): FileVersion => ({
    path: pathText(path),
    contentId: id,
    mode,
    ...(size !== undefined && { size }),
  });
  return {
    ...(before && { before: side(before, beforeSize) }),
    ...(after && { after: side(after, afterSize) }),
    ...(added !== undefined && { added, removed: removed ?? 0 }),
  };
}

/** In git's order: by the bytes of the new path, or of the old one if the file was deleted. */
function sorted(changes: readonly FileChange[]): FileChange[] {
  const key = ({ before, after }: FileChange) => Buffer.from(after?.path ?? before?.path ?? '');
  return changes
    .map((change) => [key(change), change] as const)
    .sort(([a], [b]) => Buffer.compare(a, b))
    .map(([, change]) => change);
}
