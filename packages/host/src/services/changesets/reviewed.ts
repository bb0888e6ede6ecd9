import { createHash } from 'node:crypto';
import type { URI } from '@moorage/protocol';
import type { Contents, Hunk } from '../../ports/contents.js';
import type { FileChange } from '../../ports/workspace.js';
import { contentOf, hunksOf } from './file-hunks.js';
import { hunkText } from './hunks.js';
import { type OperationJournal, reviewedKey } from './journal.js';
import { MAX_KEPT_HUNKS } from './limits.js';
import type { FolderSubject } from './subject.js';
import { pathOf } from './words.js';

/** What was reviewed of one file, in whichever changesets of a session it is: single hunks by their text, so that they may move. */
interface ReviewedFile {
  readonly hunks: readonly string[];
  /** The whole change as it was when it was reviewed, by the URI of the changeset. */
  readonly wholes?: Readonly<Record<URI, string>>;
  /** The same in what earlier versions stored, for one changeset. */
  readonly whole?: string;
}

type Reviewed = Readonly<Record<string, ReviewedFile>>;

/** What clients see of this: the first in the file itself, the others in its `_meta`. */
export interface ReviewNote {
  /** The whole change was reviewed. */
  readonly reviewed?: true;
  /** Only these hunks were reviewed. */
  readonly reviewedHunks?: readonly Hunk[];
  /** The whole change was reviewed here, and is another one now. */
  readonly changedSinceReviewed?: true;
}

/**
 * A changeset in one folder of its session. Marks are kept by session and folder, so that all changesets with the same hunks
 * share them.
 */
interface Reviewable {
  readonly uri: URI;
  readonly session: URI;
  /** Names the session in this folder. */
  readonly key: string;
}

export function reviewable({ uri, session, key }: Pick<FolderSubject, 'uri' | 'session' | 'key'>): Reviewable {
  return { uri, session: session.uri, key };
}

/** Marks files, or hunks of one, as reviewed, or takes that back. */
export async function setReviewed(
  journal: OperationJournal,
  contents: Contents,
  of: Reviewable,
  marks: readonly { change: FileChange; hunks?: readonly Hunk[] }[],
  isReviewed: boolean,
): Promise<void> {
  const { uri, session, key } = of;
  const chosen: { change: FileChange; texts: readonly string[]; isWhole: boolean }[] = [];
  for (const { change, hunks } of marks) {
    const all = [...((await fingerprints(contents, change)) ?? [])];
    const texts = hunks ? all.filter(([hunk]) => hunks.some((one) => isSame(one, hunk))) : all;
    chosen.push({ change, texts: texts.map(([, text]) => text), isWhole: hunks === undefined });
  }
  // Nothing is awaited from here on: others may mark something at the same time.
  const reviewed: Record<string, ReviewedFile> = { ...marksOf(journal, of) };
  for (const { change, texts, isWhole } of chosen) {
    const path = pathOf(change);
    const { hunks = [], wholes = {} } = reviewed[path] ?? {};
    if (isReviewed) {
      const kept = [...new Set([...hunks, ...texts])].slice(-MAX_KEPT_HUNKS);
      reviewed[path] = { hunks: kept, wholes: isWhole ? { ...wholes, [uri]: wholeOf(change) } : wholes };
    } else {
      // Of a larger change that was reviewed as a whole, the other hunks remain.
      const left = hunks.filter((text) => !texts.includes(text));
      if (left.length > 0) reviewed[path] = { hunks: left };
      else delete reviewed[path];
    }
  }
  journal.putNote(reviewedKey(key), reviewed, session);
  if (journal.note(reviewedKey(uri)) !== undefined) journal.putNote(reviewedKey(uri), undefined, session);
}

/** What was reviewed of these changes, by path. */
export async function reviewNotes(
  journal: OperationJournal,
  contents: Contents,
  of: Reviewable,
  changes: readonly FileChange[],
): Promise<ReadonlyMap<string, ReviewNote>> {
  const notes = new Map<string, ReviewNote>();
  const reviewed = marksOf(journal, of);
  if (!reviewed) return notes;
  for (const change of changes) {
    const known = reviewed[pathOf(change)];
    const note = known && (await noteOn(contents, change, known, of.uri));
    if (note) notes.set(pathOf(change), note);
  }
  return notes;
}

/** Together with what earlier versions stored for the changeset alone. */
function marksOf(journal: OperationJournal, { uri, session, key }: Reviewable): Reviewed | undefined {
  const shared = journal.note<Reviewed>(reviewedKey(key));
  if (key !== session) return shared; // earlier versions knew only the first folder
  const earlier = Object.entries(journal.note<Reviewed>(reviewedKey(uri)) ?? {}).map(([path, { hunks, whole }]) => {
    const { hunks: others = [], wholes = {} } = shared?.[path] ?? {};
    const both = { hunks: [...new Set([...hunks, ...others])], wholes: { ...(whole && { [uri]: whole }), ...wholes } };
    return [path, both] as const;
  });
  return earlier.length > 0 ? { ...shared, ...Object.fromEntries(earlier) } : shared;
}

async function noteOn(
  contents: Contents,
  change: FileChange,
  { hunks, wholes = {} }: ReviewedFile,
  uri: URI,
): Promise<ReviewNote | undefined> {
  const whole = wholeOf(change);
  if (Object.values(wholes).includes(whole)) return { reviewed: true };
  const all = await fingerprints(contents, change).catch(() => undefined);
  const texts = new Set(hunks);
  const kept = [...(all ?? [])].filter(([, text]) => texts.has(text)).map(([hunk]) => hunk);
  if (kept.length > 0 && kept.length === all?.size) return { reviewed: true };
  const note: ReviewNote = {
    ...(kept.length > 0 && { reviewedHunks: kept }),
    ...(wholes[uri] !== undefined && { changedSinceReviewed: true }),
  };
  return Object.keys(note).length > 0 ? note : undefined;
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
