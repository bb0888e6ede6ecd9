import { removeAt, replaceAt } from '../../common/list.js';
import type { ActionOf } from '../action-table.js';
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
      return {
        ...state,
        files: action.files,
        operations: action.operations ?? state.operations,
        error: action.error,
      };
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
  return { ...state, files };
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
  return { ...state, operations: replaceAt(state.operations, index, changed) };
}
