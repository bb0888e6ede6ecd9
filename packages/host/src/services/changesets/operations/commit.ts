import type { IndexEntry } from '../../../ports/user-index.js';
import { fileCount } from '../words.js';
import type { Runner } from './job.js';
import { describeSession } from './session-text.js';
import { pathsOf } from './staging.js';

/** Commits what is staged, or everything when nothing is. If git refuses, the index is restored. */
export const commit: Runner = async ({ editor, changes, subject, context, changesets, journal }) => {
  const { index, repository } = editor;
  const { subject: title, message } = describeSession(subject.session.state, context.door);
  const staged = await index.staged();
  let count = staged.size;
  let before: ReadonlyMap<string, IndexEntry | undefined> | undefined;
  if (count === 0) {
    const paths = pathsOf(changes);
    before = await index.entries(paths);
    await index.stage(await index.fromDisk(paths));
    count = changes.length;
  }
  const { id } = await repository.commit(message).catch(async (error: unknown) => {
    if (before) await index.stage(before);
    throw error;
  });
  journal.committed(subject.uri, subject.session.uri);
  await changesets.changed(subject);
  return { message: `Committed ${fileCount(count)} as ${id}: ${title}` };
};
