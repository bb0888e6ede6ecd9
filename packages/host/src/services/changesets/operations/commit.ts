import type { Conflicts, IndexEntries, IndexStatus } from '../../../ports/user-index.js';
import type { FileChange } from '../../../ports/workspace.js';
import { changesetFileId } from '../files.js';
import { OperationRefused } from '../refused.js';
import { fileCount, pathOf } from '../words.js';
import type { Job, Runner } from './job.js';
import { describeSession } from './session-text.js';
import { describeLeft, pathsOf, stageable } from './staging.js';

/** Commits what is staged, or everything when nothing is. If git refuses, the index is restored. */
export const commit: Runner = async (job) => {
  const { editor, subject, context, changesets, journal, wishes = {} } = job;
  const { index, repository } = editor;
  const written = describeSession(subject.session.state, context.door);
  const message = wishes.message ?? written.message;
  const title = wishes.message === undefined ? written.subject : (message.trim().split('\n')[0] ?? '');
  const { staged } = await index.status({ freshness: 'exact' });
  const { before, count } = staged.size === 0 ? await stageShown(job) : { count: countShown(job, staged) };
  const commitStaged = async () => {
    assertNone(await index.conflicts());
    return repository.commit(message);
  };
  const { id } = await commitStaged().catch(async (error: unknown) => {
    if (before) await index.stage(before);
    throw error;
  });
  journal.committed(subject.uri, subject.session.uri);
  await changesets.changed(subject);
  return { message: `Committed ${fileCount(count)} as ${id}: ${title}` };
};

/** Stages the changes that the user was shown, usually all, and returns what was in the index before. */
async function stageShown(job: Job): Promise<{ before: IndexEntries; count: number }> {
  const { index } = job.editor;
  const changes = job.changes.filter((change) => isShown(job, change));
  if (changes.length === 0) throw new OperationRefused('These files have no changes any more; nothing was committed.');
  const { paths, left } = await stageable(index, pathsOf(changes));
  if (paths.length === 0) throw new OperationRefused(`${describeLeft(left)} Nothing was committed.`);
  const before = await index.entries(paths);
  await index.stage(await index.fromDisk(paths));
  return { before, count: changes.length - left.length };
}

/** Refuses if something was staged, or taken out of the index, while the user was asked. */
function countShown(job: Job, staged: IndexStatus['staged']): number {
  if (!job.wishes?.files) return staged.size;
  const changes = job.changes.filter((change) => isShown(job, change));
  const gone = changes.find((change) => !pathsOf([change]).some((path) => staged.has(path)));
  if (gone) throw new OperationRefused(`${pathOf(gone)} is not staged; look at what is and try again.`);
  const shown = new Set(pathsOf(changes));
  const other = [...staged.keys()].find((path) => !shown.has(path));
  if (other === undefined) return staged.size;
  throw new OperationRefused(
    `${other} is staged as well; look at what is staged and try again. Nothing was committed.`,
  );
}

function isShown({ wishes, subject }: Job, change: FileChange): boolean {
  return wishes?.files?.has(changesetFileId(subject.folderUri, change)) ?? true;
}

function assertNone({ unresolved: [conflict], marked }: Conflicts): void {
  if (conflict !== undefined)
    throw new OperationRefused(
      `${conflict} has a conflict; resolve it, mark it as resolved with git add, and try again. Nothing was committed.`,
    );
  if (marked.length > 0)
    throw new OperationRefused(
      `${marked.slice(0, MOST_NAMED).join(', ')}: there are conflict markers in what would be committed; ` +
        'resolve them first, or use git if they are meant to be there. Nothing was committed.',
    );
}

/** Files that a refusal names. */
const MOST_NAMED = 5;
