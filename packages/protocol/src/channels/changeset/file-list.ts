import type { ActionOf } from '../action-table.js';
import type { Run } from '../reducer.js';
import type { ChangesetFile, ChangesetState } from './state.js';

type Files = ChangesetFile[];
type FileSet = ActionOf<'changeset'> & { type: 'changeset/fileSet' };

/**
 * The positions in the last list made here, which saves searching it: a changeset of 10,000 files gets thousands of
 * upserts in a row, each on the result of the last. Any other list is searched.
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
  const index = positions ? (positions.get(file.id) ?? -1) : files.findIndex((entry) => entry?.id === file.id);
  const next = index < 0 ? files.concat([file]) : files.with(index, file);
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
  if (!isFileSet(actions[start]) || !isFileSet(actions[start + 1])) return undefined; // one alone needs no index
  const files = state.files.slice();
  const known = state.files === latest.files ? latest.positions : undefined;
  const positions = known ?? positionsOf(files);
  let end = start;
  for (let action = actions[end]; isFileSet(action); action = actions[++end]) {
    const { file } = action;
    const index = positions.get(file.id);
    if (index === undefined) positions.set(file.id, files.push(file) - 1);
    else files[index] = file;
  }
  latest.files = files;
  latest.positions = positions;
  return { state: { ...state, files }, end };
}

function isFileSet(action: ActionOf<'changeset'> | undefined): action is FileSet {
  return action?.type === 'changeset/fileSet' && typeof action.file === 'object' && action.file !== null;
}

function positionsOf(files: Files): Map<string, number> {
  const positions = new Map<string, number>();
  // From the end, so that the first of two equal ids wins.
  for (let index = files.length - 1; index >= 0; index--) positions.set(files[index]?.id as string, index);
  return positions;
}
