import type { SessionState } from '../../channels/session/state.js';
import type { StateAction } from '../../channels/state-action.js';
import type { Change, Told } from '../dialect.js';
import { asObject, type WireObject } from '../shared/wire.js';
import { chatSummary } from './session.js';

export function changeIn05({ channel, kind, action, before, after }: Change): readonly Told[] {
  if (kind !== 'session') return [{ channel, action }];
  const states = [before, after] as [SessionState | undefined, SessionState | undefined];
  return sessionActions(action, ...states).map((told) => ({ channel, action: told }));
}

/** Who was active before is not in the action. */
export function isReplayableIn05({ action }: Change): boolean {
  return action.type !== 'session/activeClientChanged' && action.type !== 'session/activeClientToolsChanged';
}

function sessionActions(
  action: StateAction,
  before: SessionState | undefined,
  after: SessionState | undefined,
): readonly WireObject[] {
  switch (action.type) {
    case 'session/modelChanged':
    case 'session/agentChanged':
      return [];
    case 'session/activeClientChanged':
    case 'session/activeClientToolsChanged':
      return activeClientActions(before, after);
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

function activeClientActions(before: SessionState | undefined, after: SessionState | undefined): WireObject[] {
  const [was, is] = [before?.activeClient, after?.activeClient];
  const left = was && was.clientId !== is?.clientId;
  return [
    ...(left ? [{ type: 'session/activeClientRemoved', clientId: was.clientId }] : []),
    ...(is && is !== was ? [{ type: 'session/activeClientSet', activeClient: is }] : []),
  ];
}
