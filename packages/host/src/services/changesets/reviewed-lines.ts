import type { ReviewLinesParams } from '@moorage/protocol';
import { invalidParams, notFound } from '../../core/errors.js';
import type { Workspaces } from '../../ports/workspace.js';
import { asShown } from './as-shown.js';
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
    const shown = this.#changesets.shownFiles(channel); // later there may be others
    const found = await findFile(subject, file);
    if (!found) throw invalidParams(NO_TEXT_FILE);
    const { folder } = found;
    const { contents } = this.#workspaces.editor(folder.folder);
    const change = asShown(shown, folder.folderUri, found.change);
    const all = await hunksOf(contents, change);
    if (!all) throw invalidParams(NO_TEXT_FILE);
    const hunks = touchedHunks(all, side, lines);
    if (hunks.length === 0) throw invalidParams('params/lines: expected lines of a hunk');
    await setReviewed(this.#changesets.journal, contents, reviewable(folder), [{ change, hunks }], reviewed);
    this.#changesets.changed(subject.session.uri);
  }
}

const NO_TEXT_FILE = 'params/file: expected the id of a text file of this changeset';
