import type { Conflicts } from '../../../ports/user-index.js';
import { OperationRefused } from '../refused.js';
import { fileCount } from '../words.js';
import { chosenChanges } from './commit-choice.js';
import type { Runner } from './job.js';
import { describeSession } from './session-text.js';

/** Commits what was chosen, as a step that can be undone. If git refuses, the index is as it was. */
export const commit: Runner = async (job) => {
  const { editor, subject, context, journal, wishes = {} } = job;
  const { index, repository } = editor;
  const written = describeSession(subject.session.state, context.door);
  const message = wishes.message ?? written.message;
  const title = wishes.message === undefined ? written.subject : (message.trim().split('\n')[0] ?? '');
  assertResolved(await index.conflicts());
  const chosen = await chosenChanges(job);
  const { commit: from, branch } = await repository.head();
  const move = { from, to: from, branch, paths: chosen.paths };
  let id = '';
  const run = async (operation: string) => {
    assertUnmarked(await index.conflicts());
    ({ id } = await repository.commit(message, { only: chosen.only, operation }));
    const { commit: to } = await repository.head();
    return { move: { ...move, to }, label: `the commit ${id}` };
  };
  await job.perform({
    label: `the commit of ${fileCount(chosen.count)}`,
    index: chosen.index,
    head: { move, index: 'before', run },
  });
  journal.committed({ channel: subject.uri, session: subject.session.uri });
  const left = chosen.left === undefined ? '' : ` ${chosen.left}`;
  return { message: `Committed ${fileCount(chosen.count)} as ${id}: ${title}${left}` };
};

function assertResolved({ unresolved: [conflict] }: Conflicts): void {
  if (conflict !== undefined)
    throw new OperationRefused(
      `${conflict} has a conflict; resolve it, mark it as resolved with git add, and try again. Nothing was committed.`,
    );
}

function assertUnmarked({ marked }: Conflicts): void {
  if (marked.length > 0)
    throw new OperationRefused(
      `${marked.slice(0, MOST_NAMED).join(', ')}: there are conflict markers in what would be committed; ` +
        'resolve them first, or use git if they are meant to be there. Nothing was committed.',
    );
}

/** Files that a refusal names. */
const MOST_NAMED = 5;
