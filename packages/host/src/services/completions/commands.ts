import type { Handler, Handlers } from '../../core/handler.js';
import type { CompletionService } from './completion-service.js';

export function completionCommands(service: CompletionService) {
  const completions: Handler<'completions'> = (params, { clientId }) => service.complete(params, clientId);
  return { completions } satisfies Handlers;
}
