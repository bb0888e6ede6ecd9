import type { Handler, Handlers } from '../../../core/handler.js';
import type { HistoryService } from './history-service.js';
import type { OperationService } from './operation-service.js';

export function operationCommands(operations: OperationService, history: HistoryService) {
  const listHistory: Handler<'moorage/listHistory'> = (params) => history.list(params);
  const listHistoryFiles: Handler<'moorage/listHistoryFiles'> = (params) => history.files(params);
  const undoHistoryStep: Handler<'moorage/undoHistoryStep'> = (params, asker) => history.undo(params, asker);
  const redoHistoryStep: Handler<'moorage/redoHistoryStep'> = (params, asker) => history.redo(params, asker);
  const suggestCommitMessage: Handler<'moorage/suggestCommitMessage'> = ({ channel }) =>
    operations.suggestMessage(channel);
  return {
    'moorage/suggestCommitMessage': suggestCommitMessage,
    invokeChangesetOperation: operations.invoke,
    'moorage/listHistory': listHistory,
    'moorage/listHistoryFiles': listHistoryFiles,
    'moorage/undoHistoryStep': undoHistoryStep,
    'moorage/redoHistoryStep': redoHistoryStep,
  } satisfies Handlers;
}
