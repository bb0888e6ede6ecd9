import type { ChatState, SessionState } from '@ahpd/protocol';
import type { Channel } from './channel.js';

/** Whether something is under way in a channel that its host must settle if it dies now. */
export function isUnsettled(kind: Channel['kind'], state: unknown): boolean {
  if (kind === 'chat') {
    const { activeTurn, inputRequests } = state as ChatState;
    return activeTurn !== undefined || (inputRequests?.length ?? 0) > 0;
  }
  if (kind !== 'session') return false;
  const { lifecycle, activeClient } = state as SessionState;
  return lifecycle === 'creating' || activeClient !== undefined;
}
