import { createHash } from 'node:crypto';
import type { URI } from '@moorage/protocol';
import type { Contents, Hunk } from '../../ports/contents.js';
import type { FileChange } from '../../ports/workspace.js';
import { contentOf, hunksOf } from './file-hunks.js';
import { hunkText } from './hunks.js';
import { type OperationJournal, reviewedKey } from './journal.js';
import { MAX_KEPT_HUNKS } from './limits.js';
import { pathOf } from './words.js';

/** What was reviewed of one file: the whole change, and single hunks by their text, so that they may move. */
interface ReviewedFile {
  readonly whole?: string;
  readonly hunks: readonly string[];
}

type Reviewed = Readonly<Record<string, ReviewedFile>>;

/** What clients see of this: the first in the file itself, the second in its `_meta`. */
export interface ReviewNote {
  /** The whole change was reviewed. */
  readonly reviewed?: true;
  /** Only these hunks were reviewed. */
  readonly reviewedHunks?: readonly Hunk[];
}

/** Marks files, or hunks of one, as reviewed. */
export async function markReviewed(
  journal: OperationJournal,
  contents: Contents,
  { uri, session }: { uri: URI; session: URI },
  marks: readonly { change: FileChange; hunks?: readonly Hunk[] }[],
): Promise<void> {
  const reviewed: Record<string, ReviewedFile> = { ...journal.note<Reviewed>(reviewedKey(uri)) };
  for (const { change, hunks } of marks) {
    const path = pathOf(change);
    const all = (await fingerprints(contents, change)) ?? new Map<Hunk, string>();
    const chosen = hunks ? [...all].filter(([hunk]) => hunks.some((one) => isSame(one, hunk))) : [...all];
    const texts = new Set([...(reviewed[path]?.hunks ?? []), ...chosen.map(([, text]) => text)]);
    const whole = hunks ? reviewed[path]?.whole : wholeOf(change);
    reviewed[path] = { hunks: [...texts].slice(-MAX_KEPT_HUNKS), ...(whole !== undefined && { whole }) };
  }
  journal.putNote(reviewedKey(uri), reviewed, session);
}

/** Takes back that files were reviewed, with all of their hunks. */
export function unmarkReviewed(
  journal: OperationJournal,
  { uri, session }: { uri: URI; session: URI },
  paths: ReadonlySet<string>,
): void {
  const reviewed = Object.entries(journal.note<Reviewed>(reviewedKey(uri)) ?? {});
  journal.putNote(reviewedKey(uri), Object.fromEntries(reviewed.filter(([path]) => !paths.has(path))), session);
}

/** What was reviewed of these changes, by path. */
export async function reviewNotes(
  journal: OperationJournal,
  contents: Contents,
  uri: URI,
  changes: readonly FileChange[],
): Promise<ReadonlyMap<string, ReviewNote>> {
  const notes = new Map<string, ReviewNote>();
  const reviewed = journal.note<Reviewed>(reviewedKey(uri));
  if (!reviewed) return notes;
  for (const change of changes) {
    const path = pathOf(change);
    const known = reviewed[path];
    if (!known) continue;
    const note = known.whole === wholeOf(change) ? { reviewed: true as const } : await partOf(contents, change, known);
    if (note) notes.set(path, note);
  }
  return notes;
}

async function partOf(contents: Contents, change: FileChange, known: ReviewedFile): Promise<ReviewNote | undefined> {
  const all = await fingerprints(contents, change).catch(() => undefined);
  if (!all) return undefined;
  const texts = new Set(known.hunks);
  const kept = [...all].filter(([, text]) => texts.has(text)).map(([hunk]) => hunk);
  if (kept.length === 0) return undefined;
  return kept.length === all.size ? { reviewed: true } : { reviewedHunks: kept };
}

/** Names each hunk by its text, and its number among equal ones, so that the name survives changes of other hunks. */
async function fingerprints(contents: Contents, change: FileChange): Promise<Map<Hunk, string> | undefined> {
  const hunks = await hunksOf(contents, change);
  if (!hunks) return undefined;
  const none = new Uint8Array();
  const before = change.before ? await contentOf(contents, change.before.contentId) : none;
  const after = change.after ? await contentOf(contents, change.after.contentId) : none;
  const seen = new Map<string, number>();
  const named = hunkText(before, after, hunks).map(({ hunk, removed, added }) => {
    const text = createHash('sha256').update(removed).update('\0').update(added).digest('hex').slice(0, 32);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return [hunk, `${text}-${count}`] as const;
  });
  return new Map(named);
}

function isSame(one: Hunk, other: Hunk): boolean {
  return one.after.start === other.after.start && one.before.start === other.before.start;
}

function wholeOf({ before, after }: FileChange): string {
  const side = (version: FileChange['before']) =>
    version ? `${version.path} ${version.mode} ${version.contentId}` : '';
  return `${side(before)} > ${side(after)}`;
}
