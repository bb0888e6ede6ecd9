import { replaceAt } from '../../common/list.js';
import type { ActionOf } from '../action-table.js';
import { endOfRun, type Run } from '../reducer.js';
import type { ChangesetFile, ChangesetState } from './state.js';

type Files = ChangesetFile[];

/**
 * Remembers where the files of the last list that `setFile` made stand. It only saves the search: a list it does not
 * know is searched. A changeset of 10,000 files gets thousands of upserts in a row, each on the result of the last.
 */
const latest: { files: Files | undefined; positions: Map<string, number> | undefined } = {
  files: undefined,
  positions: undefined,
};

/** The list with the file replaced where one with its id stands, or appended. */
export function setFile(files: Files, file: ChangesetFile): Files {
  const known = files === latest.files;
  if (known) latest.positions ??= positionsOf(files);
  const positions = known ? latest.positions : undefined;
  const index = positions ? (positions.get(file.id) ?? -1) : files.findIndex((entry) => entry.id === file.id);
  const next = index < 0 ? appended(files, file) : replaceAt(files, index, file);
  if (index < 0) positions?.set(file.id, files.length);
  latest.files = next;
  latest.positions = positions;
  return next;
}

/** A run of upserts: the list is copied once, whatever their number. */
export function fileRun(
  state: ChangesetState,
  actions: readonly ActionOf<'changeset'>[],
  start: number,
): Run<ChangesetState> | undefined {
  const end = endOfRun(actions, start, (action) => fileOf(action) !== undefined);
  if (end === undefined) return undefined;
  return {
    state: {
      ...state,
      files: setFiles(
        state.files,
        actions.slice(start, end).flatMap((a) => fileOf(a) ?? []),
      ),
    },
    end,
  };
}

function fileOf(action: ActionOf<'changeset'>): ChangesetFile | undefined {
  return action.type === 'changeset/fileSet' ? action.file : undefined;
}

function setFiles(files: Files, changes: readonly ChangesetFile[]): Files {
  const next = files.slice();
  const positions = positionsOf(files);
  for (const file of changes) {
    const index = positions.get(file.id);
    if (index === undefined) positions.set(file.id, next.push(file) - 1);
    else next[index] = file;
  }
  latest.files = next;
  latest.positions = positions;
  return next;
}

function appended(files: Files, file: ChangesetFile): Files {
  const next = files.slice();
  next.push(file);
  return next;
}

function positionsOf(files: Files): Map<string, number> {
  const positions = new Map<string, number>();
  for (let index = files.length - 1; index >= 0; index--) {
    const file = files[index];
    if (file) positions.set(file.id, index); // from the end, so that the first of two equal ids wins
  }
  return positions;
}
