import type { Handler, Handlers } from '../../../core/handler.js';
import type { OperationService } from './operation-service.js';

export function operationCommands(operations: OperationService) {
  const invokeChangesetOperation: Handler<'invokeChangesetOperation'> = (params) => operations.invoke(params);
  return { invokeChangesetOperation } satisfies Handlers;
}
