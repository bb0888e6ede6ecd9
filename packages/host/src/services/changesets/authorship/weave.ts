import { lineHunks } from '../../../lines/line-hunks.js';
import type { SharedHunk } from '../../../ports/workspace.js';

/** A change of a text: who made it, as ids of turns; nobody's id stands for the user and everyone else. */
export interface Authorship {
  readonly by: readonly string[];
  /** Others who may have made it instead. */
  readonly sharedWith?: readonly string[];
  /** Taking back or bringing back a change leaves it that of the one who made it. */
  readonly isOperation?: boolean;
}

/** Stands in `sharedWith` for everyone who is not a turn. */
const USER = 'user';

interface Switch {
  readonly isThere: boolean;
  readonly change: Authorship;
}

/** A line that some version of the text has or had, with everything that happened to it. */
interface Line {
  readonly text: string;
  /** Whether the first version has it. */
  readonly isFirst: boolean;
  isThere: boolean;
  readonly switches: Switch[];
}

/**
 * All versions of a text in one list: every line that was ever there, in order, with who added and who removed it. So it
 * can tell the text as it would be without the changes of some authors, whatever others changed in between.
 */
export class Weave {
  readonly #lines: Line[];

  constructor(first: readonly string[]) {
    this.#lines = first.map((text) => ({ text, isFirst: true, isThere: true, switches: [] }));
  }

  /** Adds the next version. */
  add(version: readonly string[], change: Authorship): void {
    const there = this.#lines.flatMap((line, at) => (line.isThere ? at : []));
    const hunks = lineHunks(
      there.map((at) => this.#lines[at]?.text ?? ''),
      version,
    );
    for (const { before, after } of hunks.reverse()) {
      const from = (there[before.start - 1] ?? -1) + 1;
      const to = there[before.start + before.count] ?? this.#lines.length;
      this.#exchange(from, to, version.slice(after.start, after.start + after.count), change);
    }
  }

  /** The last version without what these authors changed. */
  without(isOwn: (author: string) => boolean): string[] {
    return this.#lines.filter((line) => wasThereWithout(line, isOwn)).map(({ text }) => text);
  }

  /**
   * What these authors changed: the differences between `without` and the last version. `sharedWith` names others who may have made
   * the change, or have overwritten part of it.
   */
  hunks(isOwn: (author: string) => boolean): SharedHunk[] {
    const hunks: SharedHunk[] = [];
    let [before, after] = [0, 0];
    let start = { before, after };
    let shared = new Set<string>();
    const close = () => {
      const counts = { before: before - start.before, after: after - start.after };
      if (counts.before + counts.after > 0)
        hunks.push({
          before: { start: start.before, count: counts.before },
          after: { start: start.after, count: counts.after },
          sharedWith: [...shared],
        });
      shared = new Set();
    };
    for (const line of this.#lines) {
      const [was, is] = [wasThereWithout(line, isOwn), line.isThere];
      if (was && is) {
        close();
        before++;
        after++;
        start = { before, after };
        continue;
      }
      for (const author of othersIn(line, isOwn)) shared.add(author);
      if (was) before++;
      if (is) after++;
    }
    close();
    return hunks;
  }

  /** Replaces what is there between two places. A line that was there before comes back instead of being added anew. */
  #exchange(from: number, to: number, added: readonly string[], change: Authorship): void {
    const region = this.#lines.slice(from, to);
    const gone = new Set(region.filter(({ isThere }) => isThere));
    for (const line of gone) flip(line, change);
    const result: Line[] = [];
    let at = 0;
    for (const text of added) {
      const again = region.findIndex((line, index) => index >= at && line.text === text && !gone.has(line));
      if (again < 0) {
        // Behind everything that was there, unless a later line comes back.
        result.push({ text, isFirst: false, isThere: true, switches: [{ isThere: true, change }] });
        continue;
      }
      const line = region[again] as Line;
      flip(line, change);
      const fresh = result.splice(result.length - countFresh(result, region));
      result.push(...region.slice(at, again), ...fresh, line);
      at = again + 1;
    }
    const fresh = result.splice(result.length - countFresh(result, region));
    result.push(...region.slice(at), ...fresh);
    this.#lines.splice(from, to - from, ...result);
  }
}

/** How many lines at the end of `result` are new. */
function countFresh(result: readonly Line[], region: readonly Line[]): number {
  const known = new Set(region);
  return result.length - 1 - result.findLastIndex((line) => known.has(line));
}

function flip(line: Line, change: Authorship): void {
  line.isThere = !line.isThere;
  const maker = change.isOperation ? (line.switches.at(-1)?.change ?? NOBODY) : change;
  line.switches.push({ isThere: line.isThere, change: maker });
}

const NOBODY: Authorship = { by: [] };

function wasThereWithout({ isFirst, switches }: Line, isOwn: (author: string) => boolean): boolean {
  return switches.findLast(({ change }) => !change.by.some(isOwn))?.isThere ?? isFirst;
}

/** Who else may have made the change of a line, or has removed a line that these authors had added. */
function othersIn({ switches }: Line, isOwn: (author: string) => boolean): string[] {
  const own = switches.filter(({ change }) => change.by.some(isOwn));
  if (own.length === 0) return [];
  const last = switches.at(-1)?.change ?? NOBODY;
  const isOverwritten = !last.by.some(isOwn);
  const doubtful = own.flatMap(({ change }) => change.sharedWith ?? []).filter((author) => !isOwn(author));
  return [...doubtful, ...(isOverwritten ? (last.by.length > 0 ? last.by : [USER]) : [])];
}
