import type { Channel } from '../../core/channel.js';
import { type Committed, isOn } from '../../core/committed.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';

/** When one of the host's own session actions could not be stored, calls `repeat` a moment later to commit it again. */
export function repeatLostChanges({ door, clock }: HostContext, repeat: (session: Channel<'session'>) => void): void {
  door.onLost((lost) => {
    const sessions = new Set(lost.filter(isOwn).map(({ channel }) => channel));
    if (sessions.size === 0) return;
    clock.setTimeout(() => {
      for (const session of sessions) if (door.isOpen(session)) repeat(session);
    }, STORE_RETRY_MS);
  });
}

function isOwn(committed: Committed): committed is Committed & Committed<'session'> {
  return isOn(committed, 'session') && !committed.origin && REPEATED.has(committed.action.type);
}

const REPEATED: ReadonlySet<string> = new Set([
  'session/ready',
  'session/creationFailed',
  'session/activeClientRemoved',
  'session/mcpServerStateChanged',
  'session/customizationUpdated',
]);
