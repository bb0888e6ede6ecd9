import type { FileVersion, SharedHunk } from '../../../ports/workspace.js';
import { isSameVersion } from '../three-way.js';
import { type Authorship, Weave } from './weave.js';

/** One observed change of one path. */
export interface Step extends Authorship {
  /** Orders the steps of a folder. */
  readonly at: number;
  /** The file came from another path, where it was this. */
  readonly movedFrom?: FileVersion | undefined;
  readonly before?: FileVersion | undefined;
  readonly after?: FileVersion | undefined;
}

/** Contents as lines. */
export interface Texts {
  /** Undefined if it is not text, too large, or not kept. */
  read(version: FileVersion): Promise<string[] | undefined>;
  /** Keeps a text, and returns its content id and size. */
  write(lines: readonly string[]): Promise<{ contentId: string; size: number }>;
}

/** What some authors changed in a file: as it would be without them, and as it is with them. */
export interface Folded {
  readonly before?: FileVersion | undefined;
  readonly after?: FileVersion | undefined;
  /** Someone else changed the file between two of their changes. */
  readonly changedBetween: boolean;
  /** Hunks that others may have made, or have changed since. */
  readonly sharedHunks: readonly SharedHunk[];
  /** Everyone in them; if the file is not text, everyone who changed it in between. */
  readonly sharedWith: readonly string[];
}

/**
 * The net change that the steps of some authors made to one path, without what others did in between: that stands on both
 * sides. `steps` are in order; what is missing between two of them was somebody else's. Undefined without own steps.
 */
export async function fold(
  path: string,
  steps: readonly Step[],
  isOwn: (author: string) => boolean,
  texts: Texts,
): Promise<Folded | undefined> {
  const isTheirs = ({ by }: Step) => by.some(isOwn);
  const firstOwn = steps.findIndex(isTheirs);
  if (firstOwn < 0) return undefined;
  const last = steps.findLastIndex((step) => isTheirs(step) || step.isOperation);
  const whole = withGaps(steps.slice(firstOwn, last + 1));
  const [first, end] = [whole[0], whole.at(-1)];
  const changedBetween = whole.some((step) => step.by.length === 0 && !step.isOperation);
  const isAllTheirs = whole.every((step) => isTheirs(step) && !othersOf(step, isOwn).length);
  const ends = { before: at(path, first?.before), after: at(path, end?.after) };
  if (isAllTheirs) return { ...ends, changedBetween: false, sharedHunks: [], sharedWith: [] };
  const weave = await weaveOf(whole, texts);
  if (!weave) {
    const sharedWith = new Set(whole.flatMap((step) => (isTheirs(step) ? othersOf(step, isOwn) : step.by)));
    return { ...ends, changedBetween, sharedHunks: [], sharedWith: [...sharedWith] };
  }
  const lines = weave.without(isOwn);
  const sharedHunks = weave.hunks(isOwn).filter(({ sharedWith }) => sharedWith.length > 0);
  const before = lines.length > 0 || wasThereWithout(whole, isTheirs) ? await versionOf(lines) : undefined;
  return {
    before,
    after: ends.after,
    changedBetween,
    sharedHunks,
    sharedWith: [...new Set(sharedHunks.flatMap(({ sharedWith }) => sharedWith))],
  };

  async function versionOf(lines: readonly string[]): Promise<FileVersion> {
    return { path, mode: modeWithout(whole, isTheirs), ...(await texts.write(lines)) };
  }
}

/** The weave of successive steps; undefined if a version of the file is not text. */
export async function weaveOf(steps: readonly Step[], texts: Texts): Promise<Weave | undefined> {
  const versions = [steps[0]?.before, ...steps.map(({ after }) => after)];
  const all = await Promise.all(versions.map((version) => (version ? texts.read(version) : [])));
  const [first] = all;
  if (!first) return undefined;
  const weave = new Weave(first);
  for (const [index, step] of steps.entries()) {
    const lines = all[index + 1];
    if (!lines) return undefined;
    weave.add(lines, step);
  }
  return weave;
}

/** Adds what somebody else did between two steps. */
export function withGaps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step, index) => {
    const last = steps[index - 1];
    if (!last || isSameVersion(last.after, step.before)) return [step];
    return [{ at: step.at, by: [], before: last.after, after: step.before }, step];
  });
}

function othersOf({ sharedWith = [] }: Step, isOwn: (author: string) => boolean): string[] {
  return sharedWith.filter((author) => !isOwn(author));
}

function wasThereWithout(steps: readonly Step[], isTheirs: (step: Step) => boolean): boolean {
  const others = steps.filter((step) => !isTheirs(step) && !step.isOperation);
  const made = others.findLast(({ before, after }) => (before === undefined) !== (after === undefined));
  return made ? made.after !== undefined : steps[0]?.before !== undefined;
}

function modeWithout(steps: readonly Step[], isTheirs: (step: Step) => boolean): string {
  const others = steps.filter((step) => !isTheirs(step) && !step.isOperation);
  const changed = others.findLast(({ before, after }) => after && before?.mode !== after.mode);
  const usual = steps.flatMap(({ before, after }) => [before?.mode, after?.mode]).find((mode) => mode !== undefined);
  return changed?.after?.mode ?? steps[0]?.before?.mode ?? usual ?? '';
}

function at(path: string, version: FileVersion | undefined): FileVersion | undefined {
  return version && { ...version, path };
}
