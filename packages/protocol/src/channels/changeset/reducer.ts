import { removeAt } from '../../common/list.js';
import type { ActionOf } from '../action-table.js';
import type { ChangesetFilesReviewChangedAction } from './actions.js';
import { setFile } from './file-list.js';
import type { ChangesetOperation, ChangesetState } from './state.js';

export function reduceChangeset(state: ChangesetState, action: ActionOf<'changeset'>): ChangesetState {
  switch (action.type) {
    case 'changeset/statusChanged':
      return { ...state, status: action.status, error: action.status === 'error' ? action.error : undefined };
    case 'changeset/fileSet':
      return withFiles(state, setFile(state.files, action.file));
    case 'changeset/fileRemoved': {
      const index = state.files.findIndex((file) => file.id === action.fileId);
      return index < 0 ? state : withFiles(state, removeAt(state.files, index));
    }
    case 'changeset/contentChanged':
      return { ...state, files: action.files, operations: action.operations ?? state.operations };
    case 'changeset/filesReviewChanged':
      return withFiles(state, reviewFiles(state.files, action));
    case 'changeset/operationsChanged':
      return { ...state, operations: action.operations ?? undefined };
    case 'changeset/operationStatusChanged':
      return changeOperationStatus(state, action);
    case 'changeset/cleared':
      return state.files.length === 0 ? state : withFiles(state, []);
    case 'changeset/disposed': // says that nothing more will come; the state stays as it is
      return state;
    default:
      return state;
  }
}

function withFiles(state: ChangesetState, files: ChangesetState['files']): ChangesetState {
  return files === state.files ? state : { ...state, files };
}

/** The list with the given files marked; the same list when no mark changes. */
function reviewFiles(
  files: ChangesetState['files'],
  { files: ids, reviewed }: ChangesetFilesReviewChangedAction,
): ChangesetState['files'] {
  const marked = new Set(ids);
  let changed = false;
  const next = files.map((file) => {
    if (!marked.has(file.id) || file.reviewed === reviewed) return file;
    changed = true;
    return { ...file, reviewed };
  });
  return changed ? next : files;
}

function changeOperationStatus(
  state: ChangesetState,
  action: ActionOf<'changeset'> & { type: 'changeset/operationStatusChanged' },
): ChangesetState {
  const index = state.operations?.findIndex((operation) => operation.id === action.operationId) ?? -1;
  const operation = state.operations?.[index];
  if (!state.operations || !operation) return state;
  const changed: ChangesetOperation = { ...operation, status: action.status, error: undefined };
  if (action.status === 'error') changed.error = action.error;
  return { ...state, operations: state.operations.with(index, changed) };
}
