import type { Handler, Handlers } from '../../core/handler.js';
import type { WatchService } from './watch-service.js';

export function watchCommands(watches: WatchService) {
  const createResourceWatch: Handler<'createResourceWatch'> = (params, { clientId }) =>
    watches.create(clientId, params);
  return { createResourceWatch } satisfies Handlers;
}
