import { asShown } from '../as-shown.js';
import { reviewable, setReviewed } from '../reviewed.js';
import { nameOf } from '../words.js';
import type { Runner } from './job.js';

/** Marks the changeset, a file of it, or some hunks as reviewed. */
export const keep: Runner = async (job) => {
  const { aim, changes, shown, journal, editor, subject, changesets } = job;
  const chosen = aim.kind === 'changeset' ? changes : [aim.change];
  const marks = chosen.map((change) => ({
    change: asShown(shown, subject.folderUri, change),
    ...(aim.kind === 'range' && { hunks: aim.hunks }),
  }));
  await setReviewed(journal, editor.contents, reviewable(subject), marks, true);
  changesets.changed(subject.session.uri);
  return { message: `Marked ${aim.kind === 'range' ? `lines of ${nameOf(job)}` : nameOf(job)} as reviewed.` };
};
