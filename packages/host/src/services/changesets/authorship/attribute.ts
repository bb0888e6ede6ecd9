import { lineHunks } from '../../../lines/line-hunks.js';
import type { FileVersion } from '../../../ports/workspace.js';
import { isSameVersion } from '../three-way.js';
import type { Step, Texts } from './fold.js';
import type { Authorship } from './weave.js';

/** What was at a path when the folder was looked at, from `startedAt` to `endedAt`. */
export interface Seen {
  readonly version: FileVersion | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A change of one path that its author has reported. It was made between `since` and `at`. */
export interface Reported {
  readonly since: number;
  readonly at: number;
  /** The turns that it is part of; none for an operation. */
  readonly by: readonly string[];
  readonly isOperation?: boolean;
  /** What exactly was changed cannot be read. */
  readonly isUnknown?: boolean;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

/** Who may have made a change that nobody reported, between two moments; nobody stands for someone who is not a turn. */
export type WhoElse = (from: number, to: number, doubted: readonly string[]) => Authorship;

/**
 * Splits what happened to a path into steps, each with its author: the changes that were reported, in the order in which
 * they were, and between them whatever the states show besides.
 */
export async function attribute(
  looks: readonly Seen[],
  reports: readonly Reported[],
  whoElse: WhoElse,
  texts: Texts,
): Promise<Step[]> {
  const seen = joined(looks);
  const steps: Step[] = [];
  const placed = await place(seen, reports, texts);
  for (const [index, { version, endedAt }] of seen.entries()) {
    const last = seen[index - 1];
    if (!last) continue;
    let now = last.version;
    const doubted: string[] = [];
    const rest = (at: number, after: FileVersion | undefined) => {
      if (isSameVersion(now, after)) return;
      steps.push({ at, before: now, after, ...whoElse(last.startedAt, endedAt, doubted) });
      now = after;
    };
    for (const report of placed.get(index) ?? []) {
      const whole = await completed(report, now, version, texts);
      if (!whole) {
        doubted.push(...report.by);
        continue;
      }
      rest(report.at - BEFORE, whole.before);
      if (isSameVersion(now, whole.after)) continue;
      const { at, by, isOperation } = report;
      steps.push({ at, by, before: now, after: whole.after, ...(isOperation && { isOperation }) });
      now = whole.after;
    }
    rest(endedAt, version);
  }
  return steps;
}

/**
 * Looks that found the same as one: what they found was there when the first of them ended, and nobody had changed it yet when the last of
 * them began.
 */
function joined(looks: readonly Seen[]): Seen[] {
  const seen: Seen[] = [];
  for (const look of looks) {
    const last = seen.at(-1);
    if (last && isSameVersion(last.version, look.version))
      seen[seen.length - 1] = { ...last, startedAt: look.startedAt };
    else seen.push(look);
  }
  return seen;
}

/** Orders what was found before a report before it; moments are whole numbers. */
const BEFORE = 0.5;

/** Between which two states each report belongs, by the number of the second: the first state that shows its change. */
async function place(
  seen: readonly Seen[],
  reports: readonly Reported[],
  texts: Texts,
): Promise<Map<number, Reported[]>> {
  const placed = new Map<number, Reported[]>();
  let from = 0;
  for (const report of reports) {
    let index = from;
    while (index < seen.length - 1 && !(await isAfter(seen[index] as Seen, report, texts, index === 0))) index++;
    if (index === 0) continue; // made before the first look
    placed.set(index, [...(placed.get(index) ?? []), report]);
    from = index;
  }
  return placed;
}

/** What was there at first does not show a report only because it was still there afterwards: a report may come before its change. */
async function isAfter(
  { version, startedAt, endedAt }: Seen,
  report: Reported,
  texts: Texts,
  isFirst: boolean,
): Promise<boolean> {
  if (!isFirst && startedAt >= report.at) return true;
  if (endedAt <= report.since) return false;
  return isNearer(version, report.after, report.before, texts);
}

/** Whether a version is more like one than like another. */
async function isNearer(
  version: FileVersion | undefined,
  one: FileVersion | undefined,
  other: FileVersion | undefined,
  texts: Texts,
): Promise<boolean> {
  if (hasSameContent(version, one)) return true;
  if (!version || !one || hasSameContent(version, other)) return false;
  const [now, to, from] = [await texts.read(version), await texts.read(one), other ? await texts.read(other) : []];
  return Boolean(now && to && from && distance(now, to) < distance(now, from));
}

/**
 * The versions before and after a reported change; undefined if the report has only a part of the file. Reports say
 * nothing about modes, and not always that there was a file before.
 */
async function completed(
  { before, after, isOperation, isUnknown }: Reported,
  now: FileVersion | undefined,
  next: FileVersion | undefined,
  texts: Texts,
): Promise<{ before: FileVersion | undefined; after: FileVersion | undefined } | undefined> {
  if (isUnknown) return undefined;
  if (isOperation) return { before, after };
  const mode = now?.mode ?? next?.mode ?? after?.mode ?? before?.mode ?? '';
  const shaped = (version: FileVersion | undefined) => version && { ...version, mode };
  const older = before === undefined && now ? now : hasSameContent(before, now) ? now : shaped(before);
  const newer = hasSameContent(after, next) ? next : shaped(after);
  if (isSameVersion(older, now) || (newer && isSameVersion(newer, next))) return { before: older, after: newer };
  const [lines, known] = [older && (await texts.read(older)), now && (await texts.read(now))];
  if (!lines || !known) return { before: older, after: newer };
  const isWhole = distance(known, lines) <= Math.max(known.length, lines.length);
  return isWhole ? { before: older, after: newer } : undefined;
}

/** Lines that differ. */
function distance(one: readonly string[], other: readonly string[]): number {
  return lineHunks(one, other).reduce((sum, { before, after }) => sum + before.count + after.count, 0);
}

function hasSameContent(one: FileVersion | undefined, other: FileVersion | undefined): boolean {
  return one?.contentId === other?.contentId;
}
