import type { Conflicts, IndexEntries, UserIndex } from '../../../ports/user-index.js';
import type { FileChange } from '../../../ports/workspace.js';
import { OperationRefused } from '../refused.js';
import { fileCount } from '../words.js';
import type { Runner } from './job.js';
import { describeSession } from './session-text.js';
import { describeLeft, pathsOf, stageable } from './staging.js';

/** Commits what is staged, or everything when nothing is. If git refuses, the index is restored. */
export const commit: Runner = async ({ editor, changes, subject, context, changesets, journal }) => {
  const { index, repository } = editor;
  const { subject: title, message } = describeSession(subject.session.state, context.door);
  let count = (await index.staged()).size;
  let before: IndexEntries | undefined;
  if (count === 0) ({ before, count } = await stageAll(index, changes));
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

/** Stages every change and returns what was in the index before. */
async function stageAll(
  index: UserIndex,
  changes: readonly FileChange[],
): Promise<{ before: IndexEntries; count: number }> {
  const { paths, left } = await stageable(index, pathsOf(changes));
  if (paths.length === 0) throw new OperationRefused(`${describeLeft(left)} Nothing was committed.`);
  const before = await index.entries(paths);
  await index.stage(await index.fromDisk(paths));
  return { before, count: changes.length - left.length };
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
