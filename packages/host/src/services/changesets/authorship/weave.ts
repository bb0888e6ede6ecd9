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

/** A line that some version of the text has or had, with everything that happened to it and was not taken back. */
interface Line {
  readonly text: string;
  /** Whether the first version has it. */
  readonly isFirst: boolean;
  isThere: boolean;
  readonly switches: Switch[];
  /** What operations have taken back, the last at the end. */
  readonly takenBack: Switch[];
}

/** A line with its authors; without them, it was there or was removed before the first version. */
export interface AuthoredLine {
  readonly text: string;
  readonly isThere: boolean;
  readonly addedBy: Authorship | undefined;
  readonly removedBy: Authorship | undefined;
}

/**
 * All versions of a text in one list: every line that was ever there, in order, with who added and who removed it. So it
 * can tell the text as it would be without the changes of some authors, whatever others changed in between.
 */
export class Weave {
  #lines: readonly Line[];

  constructor(first: readonly string[]) {
    this.#lines = first.map((text) => ({ text, isFirst: true, isThere: true, switches: [], takenBack: [] }));
  }

  /** Adds the next version. */
  add(version: readonly string[], change: Authorship): void {
    const there = this.#lines.flatMap((line, at) => (line.isThere ? at : []));
    const hunks = lineHunks(
      there.map((at) => this.#lines[at]?.text ?? ''),
      version,
    );
    const woven: Line[] = [];
    let at = 0;
    for (const { before, after } of hunks) {
      const from = (there[before.start - 1] ?? -1) + 1;
      const to = there[before.start + before.count] ?? this.#lines.length;
      const added = version.slice(after.start, after.start + after.count);
      append(woven, this.#lines.slice(at, from));
      append(woven, exchanged(this.#lines.slice(from, to), added, change));
      at = to;
    }
    append(woven, this.#lines.slice(at));
    this.#lines = woven;
  }

  /** Every line that was ever there, in order, with who added it last and, if it is gone, who removed it. */
  authored(): AuthoredLine[] {
    return this.#lines.map(({ text, isThere, switches }) => ({
      text,
      isThere,
      addedBy: switches.findLast((one) => one.isThere)?.change,
      removedBy: isThere ? undefined : switches.at(-1)?.change,
    }));
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
}

/** Some lines with what is there replaced. A line that was there before comes back instead of being added anew. */
function exchanged(region: readonly Line[], added: readonly string[], change: Authorship): Line[] {
  const earlier = new Map<string, number[]>(); // where lines that are not there now are, by text, the last first
  for (let at = region.length - 1; at >= 0; at--) {
    const line = region[at] as Line;
    if (line.isThere) flip(line, change);
    else if (!earlier.get(line.text)?.push(at)) earlier.set(line.text, [at]);
  }
  const result: Line[] = [];
  let fresh: Line[] = []; // behind everything that was there, unless a later line comes back
  let at = 0;
  for (const text of added) {
    const places = earlier.get(text) ?? [];
    while ((places.at(-1) ?? at) < at) places.pop();
    const again = places.pop();
    if (again === undefined) {
      fresh.push({ text, isFirst: false, isThere: true, switches: [{ isThere: true, change }], takenBack: [] });
      continue;
    }
    const line = region[again] as Line;
    flip(line, change);
    append(result, region.slice(at, again));
    append(result, fresh);
    result.push(line);
    fresh = [];
    at = again + 1;
  }
  append(result, region.slice(at));
  append(result, fresh);
  return result;
}

/** Not by spreading: a text may have more lines than a call can have arguments. */
function append(lines: Line[], more: readonly Line[]): void {
  for (const line of more) lines.push(line);
}

function flip(line: Line, change: Authorship): void {
  line.isThere = !line.isThere;
  const { isThere, switches, takenBack } = line;
  if (!change.isOperation) switches.push({ isThere, change });
  else if (switches.length > 0 && switches.at(-1)?.isThere !== isThere) takenBack.push(switches.pop() as Switch);
  else switches.push(takenBack.pop() ?? { isThere, change: NOBODY });
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
