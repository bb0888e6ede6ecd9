import { changesetUri } from '@moorage/protocol';
import type { IndexEntry } from '../../../ports/user-index.js';
import type { FileChange, FileVersion } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import { changesetFileId } from '../files.js';
import { exchangeHunks } from '../hunks.js';
import { isSameContent } from '../index-entries.js';
import type { IndexStep } from '../journal.js';
import { NothingToDo, OperationRefused } from '../refused.js';
import { reviewable, reviewNotes } from '../reviewed.js';
import { threeWay } from '../three-way.js';
import { pathOf } from '../words.js';
import type { CommitChoice } from './commit-wishes.js';
import type { Job } from './job.js';
import { isShared, ownHunks } from './shared-hunks.js';
import { describeLeft, indexSteps, pathsOf, stageable, stagedPart } from './staging.js';

/** What a commit takes. */
export interface Chosen {
  /** What must be in the index for it, and is not yet. */
  readonly index: readonly IndexStep[];
  /** The paths that are committed; undefined: all that is staged in the folder. */
  readonly only?: ReadonlySet<string>;
  readonly paths: readonly string[];
  /** The number of files. */
  readonly count: number;
  /** What was left out, for people. */
  readonly left?: string;
}

/** Finds out what goes into a commit: what was asked for, or else what is staged, or else what the session changed. */
export async function chosenChanges(job: Job): Promise<Chosen> {
  const { staged } = await job.editor.index.status({ freshness: 'exact' });
  switch (job.wishes?.what ?? defaultChoice(job, staged.size)) {
    case 'staged':
      return stagedChanges(job, [...staged.keys()]);
    case 'session':
      return sessionChanges(job);
    case 'reviewed':
      return reviewedChanges(job);
    case 'all':
      return allChanges(job);
  }
}

/** Whoever was shown files has seen what goes in; otherwise the user's own changes are not committed unasked. */
function defaultChoice({ wishes }: Job, staged: number): CommitChoice {
  if (staged > 0) return 'staged';
  return wishes?.files ? 'all' : 'session';
}

/** Refuses if something was staged, or taken out of the index, while the user was asked. */
function stagedChanges(job: Job, staged: readonly string[]): Chosen {
  const chosen = { index: [], paths: staged, count: staged.length };
  if (staged.length === 0) throw new NothingToDo('Nothing is staged; nothing was committed.');
  if (!job.wishes?.files) return chosen;
  const changes = job.changes.filter((change) => isShown(job, change));
  const gone = changes.find((change) => !pathsOf([change]).some((path) => staged.includes(path)));
  if (gone) throw new OperationRefused(`${pathOf(gone)} is not staged; look at what is and try again.`);
  const shown = new Set(pathsOf(changes));
  const other = staged.find((path) => !shown.has(path));
  if (other === undefined) return chosen;
  throw new OperationRefused(
    `${other} is staged as well; look at what is staged and try again. Nothing was committed.`,
  );
}

/** All files, or those that the user was shown, as they are on disk. */
async function allChanges(job: Job): Promise<Chosen> {
  const { index } = job.editor;
  const changes = job.changes.filter((change) => isShown(job, change));
  if (changes.length === 0) throw new NothingToDo('These files have no changes any more; nothing was committed.');
  const { paths, left } = await stageable(index, pathsOf(changes));
  if (paths.length === 0) throw new OperationRefused(`${describeLeft(left)} Nothing was committed.`);
  const steps = await indexSteps(index, await index.fromDisk(paths));
  return { index: steps, only: new Set(paths), paths, count: changes.length - left.length };
}

/** The files and hunks that are marked as reviewed. */
async function reviewedChanges(job: Job): Promise<Chosen> {
  const { editor, journal, subject } = job;
  const notes = await reviewNotes(journal, editor.contents, reviewable(subject), job.changes);
  const changes = job.changes.filter((change) => isShown(job, change) && notes.has(pathOf(change)));
  if (changes.length === 0) throw new NothingToDo('Nothing is marked as reviewed; nothing was committed.');
  const isWhole = (change: FileChange) => notes.get(pathOf(change))?.reviewed === true;
  const entries = new Map(await editor.index.fromDisk(pathsOf(changes.filter(isWhole))));
  for (const change of changes) {
    const hunks = notes.get(pathOf(change))?.reviewedHunks;
    if (isWhole(change) || !hunks) continue;
    for (const [path, entry] of await stagedPart(job, { kind: 'range', change, hunks })) entries.set(path, entry);
  }
  return only(job, entries, changes);
}

/**
 * What the session changed, and nothing that the user or another session did to the same files. What somebody else may
 * have made is left out.
 */
async function sessionChanges(job: Job): Promise<Chosen> {
  const { subject, changesets, editor } = job;
  const ofSession = changesets.subject(changesetUri(subject.session.uri, { kind: 'session' }))?.folders() ?? [];
  const own = (await ofSession.find(({ folder }) => folder === subject.folder)?.changes()) ?? [];
  const changed = new Set(pathsOf(job.changes)); // the rest is committed already
  const all = own.filter((change) => isShown(job, change) && pathsOf([change]).some((path) => changed.has(path)));
  const entries = new Map<string, IndexEntry | undefined>();
  const changes: FileChange[] = [];
  const marked = await stageable(editor.index, pathsOf(all));
  for (const change of all.filter((one) => pathsOf([one]).every((path) => marked.paths.includes(path)))) {
    const part = isShared(change) ? await withoutShared(job, change) : change;
    const added = part ? await committedWith(job, part) : new Map<string, undefined>();
    if (part && added.size > 0) changes.push(part);
    for (const [path, entry] of added) entries.set(path, entry);
  }
  const shared = all.filter(isShared).map(pathOf);
  const left = [
    ...(shared.length > 0 ? [`Left out what somebody else may have changed in ${shared.join(', ')}.`] : []),
    ...(marked.left.length > 0 ? [describeLeft(marked.left)] : []),
  ].join(' ');
  if (entries.size === 0)
    throw new NothingToDo(
      left ||
        'This session changed nothing that is not committed. Stage what shall be committed, or choose all changes.',
    );
  return { ...(await only({ editor }, entries, changes)), ...(left !== '' && { left }) };
}

async function withoutShared({ editor: { contents } }: Job, change: FileChange): Promise<FileChange | undefined> {
  const { before, after } = change;
  const hunks = await ownHunks(contents, change);
  if (!before || !after || hunks.length === 0) return undefined;
  const [old, now] = [await contentOf(contents, before.contentId), await contentOf(contents, after.contentId)];
  return { before, after: { ...after, contentId: await contents.write(exchangeHunks(old, now, 'before', hunks)) } };
}

/**
 * What the last commit lacks of a change, merged, because the user may have changed other lines. Empty if it has all.
 */
async function committedWith(
  { editor }: Job,
  { before, after }: FileChange,
): Promise<Map<string, IndexEntry | undefined>> {
  const { index, contents } = editor;
  const path = after?.path ?? before?.path ?? '';
  const former = before?.path ?? path;
  const stored = async (version: FileVersion | undefined) =>
    version?.mode.startsWith('100')
      ? { ...version, contentId: await index.toIndex(version.path, await contentOf(contents, version.contentId)) }
      : version;
  const committed = (await index.committed([former])).get(former);
  const ours = committed && { path: former, contentId: committed.id, mode: committed.mode };
  const sides = { base: await stored(before), ours, theirs: await stored(after) };
  const outcome = await threeWay(contents, path, sides);
  if ('problem' in outcome)
    throw new OperationRefused(
      `${path}: what this session changed cannot be told from other changes that are not committed; ` +
        'stage what shall be committed. Nothing was committed.',
    );
  const entry = outcome.result && { id: outcome.result.contentId, mode: outcome.result.mode };
  if (former !== path) return new Map<string, IndexEntry | undefined>([[path, entry]]).set(former, undefined);
  return isSameContent(entry, committed) ? new Map() : new Map([[path, entry]]);
}

/** Only these entries are committed. Refuses if something else is staged of the same files: it would be lost. */
async function only(
  { editor: { index } }: Pick<Job, 'editor'>,
  entries: ReadonlyMap<string, IndexEntry | undefined>,
  changes: readonly FileChange[],
): Promise<Chosen> {
  const paths = [...entries.keys()];
  const { staged } = await index.status({ freshness: 'exact' });
  const other = paths.find((path) => staged.has(path) && !isSameContent(staged.get(path)?.entry, entries.get(path)));
  if (other !== undefined)
    throw new OperationRefused(
      `Of ${other} something else is staged; commit what is staged first, or unstage it. Nothing was committed.`,
    );
  return { index: await indexSteps(index, entries), only: new Set(paths), paths, count: changes.length };
}

function isShown({ wishes, subject }: Job, change: FileChange): boolean {
  return wishes?.files?.has(changesetFileId(subject.folderUri, change)) ?? true;
}
