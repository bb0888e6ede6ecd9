import type { Handler, Handlers } from '../../core/handler.js';
import type { TerminalService } from './terminal-service.js';

/** Commands that create and dispose terminals. */
export function terminalCommands(terminals: TerminalService) {
  const createTerminal: Handler<'createTerminal'> = (params, { clientId }) => {
    terminals.create(params, clientId);
    return null;
  };

  const disposeTerminal: Handler<'disposeTerminal'> = ({ channel }, { clientId }) => {
    terminals.disposeFor(channel, clientId);
    return null;
  };

  return { createTerminal, disposeTerminal } satisfies Handlers;
}
