import type { Handler, Handlers } from '../../../core/handler.js';
import type { HistoryService } from './history-service.js';
import type { OperationService } from './operation-service.js';

export function operationCommands(operations: OperationService, history: HistoryService) {
  const invokeChangesetOperation: Handler<'invokeChangesetOperation'> = (params, asker) =>
    operations.invoke(params, asker);
  const listHistory: Handler<'listHistory'> = (params) => history.list(params);
  const listHistoryFiles: Handler<'listHistoryFiles'> = (params) => history.files(params);
  const undoHistoryStep: Handler<'undoHistoryStep'> = (params, asker) => history.undo(params, asker);
  const redoHistoryStep: Handler<'redoHistoryStep'> = (params, asker) => history.redo(params, asker);
  const suggestCommitMessage: Handler<'suggestCommitMessage'> = ({ channel }) => operations.suggestMessage(channel);
  return {
    suggestCommitMessage,
    invokeChangesetOperation,
    listHistory,
    listHistoryFiles,
    undoHistoryStep,
    redoHistoryStep,
  } satisfies Handlers;
}
