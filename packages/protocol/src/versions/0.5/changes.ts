import type { SessionState } from '../../channels/session/state.js';
import type { Change, Told } from '../dialect.js';
import { asObject, type WireObject } from '../shared/wire.js';
import { chatSummary } from './session.js';

export function changeIn05(change: Change): readonly Told[] {
  const { channel, kind, action } = change;
  if (kind !== 'session') return [{ channel, action }];
  return sessionActions(change).map((told) => ({ channel, action: told }));
}

/** Only a log of an earlier host does not say who was active before. */
export function isReplayableIn05({ action, previousClient }: Change): boolean {
  const isRelease = action.type === 'session/activeClientChanged' && action.activeClient === null;
  return !isRelease || previousClient !== undefined;
}

function sessionActions(change: Change): readonly WireObject[] {
  const { action } = change;
  const [before, after] = [change.before, change.after] as [SessionState | undefined, SessionState | undefined];
  switch (action.type) {
    case 'session/modelChanged':
    case 'session/agentChanged':
      return [];
    case 'session/activeClientChanged': {
      const { activeClient } = action;
      const previous = change.previousClient ?? before?.activeClient?.clientId;
      const hasLeft = previous !== undefined && previous !== activeClient?.clientId;
      return [
        ...(hasLeft ? [{ type: 'session/activeClientRemoved', clientId: previous }] : []),
        ...(activeClient ? [{ type: 'session/activeClientSet', activeClient }] : []),
      ];
    }
    case 'session/activeClientToolsChanged': {
      // In a replay the client may be another by now. That does no harm: the actions that made it so follow.
      const activeClient = (after ?? change.session)?.activeClient;
      return activeClient && activeClient !== before?.activeClient
        ? [{ type: 'session/activeClientSet', activeClient }]
        : [];
    }
    case 'session/chatAdded':
      return [{ ...action, summary: chatSummary(action.summary) }];
    case 'session/chatUpdated': {
      const changes = chatSummary(asObject(action.changes));
      return Object.keys(changes).length > 0 ? [{ ...action, changes }] : [];
    }
    default:
      return [action];
  }
}
