import { lineHunks } from '../../../lines/line-hunks.js';
import { type Step, type Texts, weaveOf, withGaps } from './fold.js';
import type { History } from './history.js';
import { type AuthoredLine, type Authorship, Weave } from './weave.js';

/** Who added a line, and who removed it if only the older side has it. Absent if that is not known here. */
export interface LineAuthors {
  readonly addedBy?: Authorship | undefined;
  readonly removedBy?: Authorship | undefined;
}

/** The two texts of a changed file as lines; none where there is no file. */
export interface Sides {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface BlameQuestion extends Sides {
  readonly path: string;
  readonly history: History;
  /** Tells the steps after which the file was as the newer side has it; undefined if that is how it is now. */
  readonly isEnd: ((step: Step) => boolean) | undefined;
  readonly texts: Texts;
}

/** The authors of every line of both sides; undefined if the file was not always text. */
export async function blame(question: BlameQuestion): Promise<{ [S in keyof Sides]: LineAuthors[] } | undefined> {
  const { path, history, isEnd, before, after } = question;
  const all = stepsTo(path, history);
  const last = isEnd ? all.findLastIndex(isEnd) : all.length - 1;
  const steps = withGaps(all.slice(0, last + 1));
  const texts = withoutCarriageReturns(question.texts);
  const weave = steps.length > 0 ? await weaveOf(steps, texts) : new Weave(before.map(withoutCr));
  if (!weave) return undefined;
  // What an operation took back in this changeset alone, or what the user did since, is not in the history.
  weave.add(after.map(withoutCr), isEnd ? TAKEN_BACK : BY_USER);
  return authorsOf(weave.authored(), { before: before.map(withoutCr), after: after.map(withoutCr) });
}

const BY_USER: Authorship = { by: [] };
const TAKEN_BACK: Authorship = { by: [], isOperation: true };

/** What happened to a file, also before it came to its path. */
function stepsTo(path: string, { paths }: History, until = Number.POSITIVE_INFINITY): Step[] {
  const steps = (paths.get(path) ?? []).filter(({ at }) => at < until);
  const came = steps.findLastIndex(({ movedFrom }) => movedFrom !== undefined);
  const move = steps[came];
  if (!move?.movedFrom) return steps;
  const earlier = stepsTo(move.movedFrom.path, { paths, turns: new Map() }, move.at).filter(({ after }) => after);
  return [...earlier, { ...move, before: move.movedFrom, movedFrom: undefined }, ...steps.slice(came + 1)];
}

/** `woven` ends with the newer side. */
function authorsOf(woven: readonly AuthoredLine[], { before, after }: Sides): { [S in keyof Sides]: LineAuthors[] } {
  const positions = woven.flatMap(({ isThere }, at) => (isThere ? at : []));
  const added = positions.map((at): LineAuthors => ({ addedBy: woven[at]?.addedBy }));
  const old: LineAuthors[] = [];
  let next = 0;
  for (const hunk of lineHunks(before, after)) {
    for (; old.length < hunk.before.start; next++) old.push(added[next] ?? {});
    const from = (positions[hunk.after.start - 1] ?? -1) + 1;
    const to = positions[hunk.after.start + hunk.after.count] ?? woven.length;
    const removed = before.slice(hunk.before.start, hunk.before.start + hunk.before.count);
    for (const line of removedAmong(woven.slice(from, to), removed)) old.push(line);
    next = hunk.after.start + hunk.after.count;
  }
  for (; old.length < before.length; next++) old.push(added[next] ?? {});
  return { before: old, after: added };
}

/** The authors of removed lines, which are in order among the lines that are gone. */
function removedAmong(region: readonly AuthoredLine[], removed: readonly string[]): LineAuthors[] {
  const gone = region.filter(({ isThere }) => !isThere);
  let from = 0;
  return removed.map((text) => {
    const at = gone.findIndex((line, index) => index >= from && line.text === text);
    if (at < 0) return {};
    from = at + 1;
    return { addedBy: gone[at]?.addedBy, removedBy: gone[at]?.removedBy };
  });
}

/** The index has other line ends than the disk, with which turns work. */
function withoutCarriageReturns(texts: Texts): Texts {
  return { ...texts, read: async (version) => (await texts.read(version))?.map(withoutCr) };
}

function withoutCr(line: string): string {
  return line.endsWith('\r\n') ? `${line.slice(0, -2)}\n` : line;
}
