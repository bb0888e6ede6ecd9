import type { ReviewLinesParams } from '@moorage/protocol';
import { invalidParams, notFound } from '../../core/errors.js';
import type { Workspaces } from '../../ports/workspace.js';
import type { ChangesetService } from './changeset-service.js';
import { hunksOf } from './file-hunks.js';
import { findFile } from './find-file.js';
import { touchedHunks } from './hunks.js';
import { reviewable, setReviewed } from './reviewed.js';

/** Marks hunks as reviewed for clients, and takes that back. */
export class ReviewedLines {
  readonly #changesets: ChangesetService;
  readonly #workspaces: Workspaces;

  constructor(changesets: ChangesetService, workspaces: Workspaces) {
    this.#changesets = changesets;
    this.#workspaces = workspaces;
  }

  async set({ channel, file, side, lines, reviewed }: ReviewLinesParams): Promise<void> {
    const subject = this.#changesets.subject(channel);
    if (!subject) throw notFound(channel);
    const found = await findFile(subject, file);
    const contents = found && this.#workspaces.editor(found.folder.folder).contents;
    const all = contents && (await hunksOf(contents, found.change));
    if (!all) throw invalidParams('params/file: expected the id of a text file of this changeset');
    const hunks = touchedHunks(all, side, lines);
    if (hunks.length === 0) throw invalidParams('params/lines: expected lines of a hunk');
    const { folder, change } = found;
    await setReviewed(this.#changesets.journal, contents, reviewable(folder), [{ change, hunks }], reviewed);
    await this.#changesets.changed(subject.session.uri);
  }
}
