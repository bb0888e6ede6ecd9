import { FolderEditError } from '../../../ports/folder-editor.js';
import type { IndexEntry, IndexStatus } from '../../../ports/user-index.js';
import type { FileVersion } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import type { IndexStep } from '../journal.js';
import { OperationRefused } from '../refused.js';
import { type Reversal, threeWay } from '../three-way.js';
import type { Job } from './job.js';
import { asCommitted, indexSteps, isPart, pathsOf, unstagedPart } from './staging.js';

type Entries = ReadonlyMap<string, IndexEntry | undefined>;

/**
 * Takes the same changes out of the index as out of the files, so that no later commit has them. Entries with a conflict
 * stay as they are: they cannot be committed.
 */
export async function revertedIndex(job: Job, reversals: readonly Reversal[]): Promise<IndexStep[]> {
  const { editor, subject, aim, changes } = job;
  const status = await statusOf(job);
  if (!status || status.staged.size === 0) return [];
  if (subject.selector.kind !== 'uncommitted')
    return indexSteps(editor.index, await withoutChanges(job, status, reversals));
  const paths = pathsOf(aim.kind === 'changeset' ? changes : [aim.change]).filter((path) => status.staged.has(path));
  if (paths.length === 0) return [];
  return indexSteps(editor.index, isPart(aim) ? await unstagedPart(job, aim) : await asCommitted(editor.index, paths));
}

/** Undefined without a repository. */
async function statusOf({ editor, subject }: Job): Promise<IndexStatus | undefined> {
  try {
    return await editor.index.status({ freshness: 'exact' });
  } catch (error) {
    if (error instanceof FolderEditError && !(await subject.workspace.describe({ freshness: 'exact' })).git)
      return undefined;
    throw error;
  }
}

/** What is staged without the changes that are taken back, as far as they are staged. */
async function withoutChanges(
  { editor }: Job,
  { staged }: IndexStatus,
  reversals: readonly Reversal[],
): Promise<Entries> {
  const { index, contents } = editor;
  const wanted = new Map<string, IndexEntry | undefined>();
  for (const { base, wanted: former } of reversals) {
    const path = base?.path ?? former?.path ?? '';
    const entry = staged.get(path)?.entry;
    if (!staged.has(path) || (!base && entry)) continue;
    const store = async (version: FileVersion | undefined) =>
      version && isRegular(version)
        ? { ...version, contentId: await index.toIndex(version.path, await contentOf(contents, version.contentId)) }
        : version;
    const ours = entry && { path, contentId: entry.id, mode: entry.mode };
    const outcome = await threeWay(contents, path, { base: await store(base), ours, theirs: await store(former) });
    if ('problem' in outcome)
      throw new OperationRefused(
        `Nothing was changed. Of ${path} something else is staged (${outcome.problem}); unstage it first.`,
      );
    const { result } = outcome;
    const to = result && { id: result.contentId, mode: result.mode, ...(entry?.marks && { marks: entry.marks }) };
    if (former && base && former.path !== base.path) {
      wanted.set(path, undefined);
      if (staged.has(former.path) && !staged.get(former.path)?.entry) wanted.set(former.path, to);
    } else wanted.set(path, to);
  }
  return wanted;
}

function isRegular({ mode }: FileVersion): boolean {
  return mode.startsWith('100');
}
