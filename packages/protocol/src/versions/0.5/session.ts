import type { ChatState } from '../../channels/chat/state.js';
import type { SessionState } from '../../channels/session/state.js';
import { asObject, mapMember, type WireObject, without } from '../shared/wire.js';

/** 0.5 has the members of the summary in the state itself, any number of active clients, and no model of a session. */
export function sessionState(native: SessionState): WireObject {
  const { summary, activeClient, chats, ...same } = native;
  const { provider, title, status, activity, project, workingDirectory, annotations } = summary;
  return {
    ...same,
    provider,
    title,
    status,
    ...(activity !== undefined && { activity }),
    ...(project && { project }),
    ...(workingDirectory !== undefined && { workingDirectory }),
    ...(annotations && { annotations }),
    activeClients: activeClient ? [activeClient] : [],
    chats: chats.map(chatSummary),
  };
}

export function chatState(native: ChatState): WireObject {
  return withoutSelection(native);
}

export function chatSummary(native: WireObject): WireObject {
  return withoutSelection(native);
}

/** A summary, or some of its members: times are ISO strings, and models belong to messages. */
export function listedSummary(native: WireObject): WireObject {
  return mapMember(mapMember(withoutSelection(native), 'createdAt', isoTime), 'modifiedAt', isoTime);
}

export function noticeParams(method: string, params: WireObject): WireObject | undefined {
  if (method === 'root/sessionAdded') {
    return mapMember(params, 'summary', (summary) => listedSummary(asObject(summary)));
  }
  if (method !== 'root/sessionSummaryChanged') return params;
  const changes = listedSummary(asObject(params.changes));
  return Object.keys(changes).length > 0 ? { ...params, changes } : undefined;
}

function withoutSelection(native: WireObject): WireObject {
  return without(native, 'model', 'agent');
}

function isoTime(milliseconds: unknown): unknown {
  return typeof milliseconds === 'number' ? new Date(milliseconds).toISOString() : milliseconds;
}
