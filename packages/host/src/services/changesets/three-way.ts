import type { Contents } from '../../ports/contents.js';
import type { FileVersion } from '../../ports/workspace.js';
import { describeLines } from './hunks.js';

/** A change to take back: `base` becomes `wanted`. Their paths differ if the file moved. */
export interface Reversal {
  /** What the change left, according to the changeset. */
  readonly base: FileVersion | undefined;
  /** What should be there instead. */
  readonly wanted: FileVersion | undefined;
}

/** What is at a path, or why it must not be touched. */
export type FileState =
  | { readonly kind: 'open'; readonly version: FileVersion | undefined; readonly folder?: string | undefined }
  | { readonly kind: 'barred'; readonly why: string };

export interface Sides {
  /** What the change left there. */
  readonly base: FileVersion | undefined;
  /** What is there now. */
  readonly ours: FileVersion | undefined;
  /** What should be there instead. */
  readonly theirs: FileVersion | undefined;
}

/**
 * Applies the step from `base` to `theirs` to `ours`; undefined stands for no file. A file that nobody touched since
 * becomes exactly `theirs`, whatever that is. Otherwise both changes are kept if they are text and do not overlap, and
 * the step is refused if not.
 */
export async function threeWay(
  contents: Contents,
  path: string,
  { base, ours, theirs }: Sides,
): Promise<{ result: FileVersion | undefined } | { problem: string }> {
  if (isSameVersion(ours, base)) return { result: theirs };
  if (isSameVersion(ours, theirs)) return { result: ours };
  if (!ours) return { problem: `${path} was deleted since` };
  if (!base) return { problem: `${path} exists now` };
  if (!theirs) return { problem: `${path} was changed since${await changedLines(contents, base, ours)}` };
  if (![base, ours, theirs].every(isRegular)) return { problem: `${path} was changed since, and is not text` };
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode;
  if (ours.contentId === base.contentId) return { result: { ...theirs, mode } };
  if (theirs.contentId === base.contentId) return { result: { ...ours, mode } };
  const merged = await contents.merge(base.contentId, ours.contentId, theirs.contentId);
  if (!merged) return { problem: `${path} was changed since, and is not text` };
  if (merged.kind === 'clean') return { result: { path, contentId: merged.id, mode } };
  return { problem: `${path} was changed since at the same place (${describeLines(merged.lines)})` };
}

export function isSameVersion(one: FileVersion | undefined, other: FileVersion | undefined): boolean {
  return one?.contentId === other?.contentId && one?.mode === other?.mode;
}

function isRegular({ mode }: FileVersion): boolean {
  return mode.startsWith('100');
}

async function changedLines(contents: Contents, base: FileVersion, ours: FileVersion): Promise<string> {
  if (!isRegular(base) || !isRegular(ours)) return '';
  const hunks = await contents.hunks(base.contentId, ours.contentId);
  return hunks && hunks.length > 0 ? ` (${describeLines(hunks.map(({ after }) => after))})` : '';
}
