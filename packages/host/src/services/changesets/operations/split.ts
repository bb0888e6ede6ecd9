import {
  type ChangesetOperationTarget,
  ChangesetOperationTargetSchema,
  ExtensionMeta,
  strict,
} from '@moorage/protocol';
import { invalidParams } from '../../../core/errors.js';
import type { Hunk } from '../../../ports/contents.js';
import type { IndexEntries, IndexEntry } from '../../../ports/user-index.js';
import type { FileChange, FileVersion } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import { exchangeHunks } from '../hunks.js';
import { MAX_SPLIT_PARTS } from '../limits.js';
import { OperationRefused } from '../refused.js';
import { fileCount, pathOf } from '../words.js';
import type { Aimed, InFolder } from './in-folders.js';
import type { Job, Runner } from './job.js';
import { isPart, pathsOf } from './staging.js';
import { type Aim, hasFile, resolveTarget } from './target.js';

/** A file or lines of a file. */
export type Part = Exclude<Aim, { readonly kind: 'changeset' }>;

/**
 * Makes two commits of one: first the chosen files and hunks, then the rest. The commits since are made again, with the same
 * files each, and the branch is moved to the last of them. A step that can be undone.
 */
export const split: Runner = async (job) => {
  const { subject, editor, parts = [], wishes } = job;
  const { repository, index } = editor;
  const { selector } = subject;
  const message = wishes?.message;
  if (selector.kind !== 'commit' || message === undefined)
    throw new OperationRefused('The commit or the message is missing; nothing was changed.');
  const { commit: from, branch } = await repository.head();
  const [first = '', ...since] = await repository.rewritable(selector.commit);
  const [conflict] = (await index.status({ freshness: 'exact' })).conflicted;
  if (conflict !== undefined)
    throw new OperationRefused(`There is a conflict in ${conflict}; nothing was changed. Resolve it first.`);
  const entries = await chosenEntries(job, parts);
  const made = await repository.rewrite([
    { commit: first, entries, message },
    ...[first, ...since].map((commit) => ({ commit, entries: new Map() })),
  ]);
  const move = { from, to: made.at(-1), branch, paths: [...entries.keys()], rewrites: true };
  const label = `the split of ${short(first)}`;
  const run = async () => {
    await repository.moveHead(move);
    return { move, label };
  };
  await job.perform({ label, head: { move, index: 'after', run } });
  const changed = new Set(parts.map(({ change }) => change));
  const [only] = changed;
  const what = `${parts.every(isPart) ? 'lines of ' : ''}${changed.size === 1 && only ? pathOf(only) : fileCount(changed.size)}`;
  return { message: `Split ${short(first)}: ${short(made[0])} has ${what}, ${short(made[1])} has the rest.` };
};

/** The folder that the chosen parts are in, from the target or the `_meta` of the request, with these parts. */
export async function partsToSplit(
  meta: Readonly<Record<string, unknown>>,
  target: ChangesetOperationTarget | undefined,
  folders: readonly [InFolder, ...InFolder[]],
): Promise<{ readonly at: Aimed; readonly parts: readonly Part[] }> {
  const targets = target ? [target] : targetsIn(meta);
  const [one] = targets;
  const at = folders.find(({ changes, subject }) => one && hasFile(changes, subject.folderUri, one)) ?? folders[0];
  const parts: Part[] = [];
  for (const each of targets) {
    const aim = await resolveTarget(each, at.subject.folderUri, at.changes, at.editor.contents);
    if (aim.kind !== 'changeset') parts.push(aim);
  }
  return { at: { ...at, aim: { kind: 'changeset' } }, parts };
}

function targetsIn({ [ExtensionMeta.parts]: parts }: Readonly<Record<string, unknown>>): ChangesetOperationTarget[] {
  const isTarget = (part: unknown): part is ChangesetOperationTarget =>
    strict(ChangesetOperationTargetSchema).check(part);
  if (Array.isArray(parts) && parts.length > 0 && parts.length <= MAX_SPLIT_PARTS && parts.every(isTarget))
    return parts;
  throw invalidParams(
    `params/_meta/${ExtensionMeta.parts}: expected between 1 and ${MAX_SPLIT_PARTS} targets, or one as params/target`,
  );
}

/** What the first of the two commits has at the paths of the chosen parts. */
async function chosenEntries(job: Job, parts: readonly Part[]): Promise<IndexEntries> {
  const chosen = new Map<FileChange, Hunk[] | 'all'>();
  for (const part of parts) {
    const { change } = part;
    const known = chosen.get(change) ?? [];
    if (!isPart(part) || known === 'all') chosen.set(change, 'all');
    else chosen.set(change, [...known, ...part.hunks.filter((hunk) => !known.some((one) => isSameHunk(one, hunk)))]);
  }
  const entries = new Map<string, IndexEntry | undefined>();
  for (const path of pathsOf([...chosen.keys()])) entries.set(path, undefined); // a file that moved leaves its old path
  for (const [{ before, after }, hunks] of chosen) {
    if (!after) continue;
    const isWhole = hunks === 'all' || !before;
    entries.set(after.path, isWhole ? entryOf(after) : await withHunks(job, before, after, hunks));
  }
  return entries;
}

async function withHunks(
  { editor: { contents, index } }: Job,
  before: FileVersion,
  after: FileVersion,
  hunks: readonly Hunk[],
): Promise<IndexEntry> {
  const [old, now] = [await contentOf(contents, before.contentId), await contentOf(contents, after.contentId)];
  return { mode: before.mode, id: await index.store(exchangeHunks(old, now, 'before', hunks)) };
}

function entryOf({ mode, contentId }: FileVersion): IndexEntry {
  return { mode, id: contentId };
}

function isSameHunk(one: Hunk, other: Hunk): boolean {
  return one.before.start === other.before.start && one.after.start === other.after.start;
}

const SHORT = 7;

function short(commit = ''): string {
  return commit.slice(0, SHORT);
}
