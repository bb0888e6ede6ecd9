import type { ActionOf, ChatState, McpServerCustomization, SessionState } from '@moorage/protocol';
import type { Channel } from './channel.js';

/** Whether the state would be wrong if the host died now, so that a restarted host must settle it. */
export function isUnsettled(kind: Channel['kind'], state: unknown): boolean {
  if (isUnderWay(kind, state)) return true;
  // A queued message may have been about to become a turn.
  if (kind === 'chat') return Boolean((state as ChatState).queuedMessages?.length);
  return kind === 'session' && hasRunningServer(state as SessionState);
}

/** MCP servers run only while their session is in memory, and end with the host. */
function hasRunningServer({ customizations = [] }: SessionState): boolean {
  return customizations.some((entry) =>
    entry.type === 'mcpServer'
      ? isRunning(entry)
      : entry.children?.some((child) => child.type === 'mcpServer' && isRunning(child)),
  );
}

function isRunning({ state, channel }: McpServerCustomization): boolean {
  return state.kind !== 'stopped' || channel !== undefined;
}

/** Whether a channel must stay in memory: a turn is open, a creation runs, or a client is active. */
export function isUnderWay(kind: Channel['kind'], state: unknown): boolean {
  if (kind === 'chat') {
    return (state as ChatState).activeTurn !== undefined;
  }
  if (kind !== 'session') return false;
  const { lifecycle, activeClients } = state as SessionState;
  return lifecycle === 'creating' || activeClients.length > 0;
}

/** Chat actions that can end the active turn. */
export const ENDS_TURN: ReadonlySet<string> = new Set<ActionOf<'chat'>['type']>([
  'chat/turnComplete',
  'chat/turnCancelled',
  'chat/error',
  'chat/truncated',
]);
