import type { ChatState, ChatSummary } from '../../channels/chat/state.js';
import type { SessionState } from '../../channels/session/state.js';
import type { SessionSummary } from '../../channels/session/summary.js';
import { activityOf, SessionStatus, withActivity } from '../../common/status.js';
import { withoutAdditionalProperties } from '../shared/config-schema.js';
import { legacyChat } from '../shared/legacy-chat.js';
import { type WireObject, without } from '../shared/wire.js';
import { activeTurn, errorInfo, pendingMessage, turn } from './message.js';

/** A session merged with its own chat, as it was before chats existed. */
export function sessionState(session: SessionState, chat: ChatState | undefined): WireObject {
  const { chats: _chats, defaultChat: _default, summary, creationError, config, ...same } = session;
  const entry = shownEntry(session);
  return {
    ...same,
    summary: {
      ...without(listedSummary(summary), 'model', 'agent', 'workingDirectory'),
      ...shownSelection(session),
      ...defined('workingDirectory', entry?.workingDirectory ?? summary.workingDirectory),
      // What the client's own reducer will make of the conversation; other chats show only in lists.
      status: withActivity(summary.status, chat ? activityOf(chat.status) : SessionStatus.Idle),
    },
    ...(creationError && { creationError: errorInfo(creationError) }),
    ...(config && { config: { ...config, schema: withoutAdditionalProperties(config.schema) } }),
    ...conversation(chat),
  };
}

/** Any other chat, shown as a session. Its activity is left out, because no action would tell when it ends. */
export function pseudoSession(chat: ChatState, session: SessionState): WireObject {
  const { provider, createdAt, project, model, agent, workingDirectory } = session.summary;
  return {
    summary: {
      resource: chat.resource,
      provider,
      title: chat.title,
      status: chat.status,
      createdAt,
      modifiedAt: Date.parse(chat.modifiedAt),
      ...defined('project', project),
      ...defined('model', chat.model ?? model),
      ...defined('agent', chat.agent ?? agent),
      ...defined('workingDirectory', chat.workingDirectory ?? workingDirectory),
    },
    lifecycle: session.lifecycle,
    ...conversation(chat),
  };
}

/** A summary as lists show it. */
export function listedSummary(native: SessionSummary | WireObject): WireObject {
  return without(native as WireObject, 'annotations');
}

/** The model and agent that the session's own chat uses: its own, else those of the session. */
export function shownSelection(session: SessionState): Pick<SessionSummary, 'model' | 'agent'> {
  const entry = shownEntry(session);
  const { model, agent } = session.summary;
  return { ...defined('model', entry?.model ?? model), ...defined('agent', entry?.agent ?? agent) };
}

function shownEntry(session: SessionState): ChatSummary | undefined {
  const uri = legacyChat(session);
  return session.chats.find((chat) => chat.resource === uri);
}

function conversation(chat: ChatState | undefined): WireObject {
  if (!chat) return { turns: [] };
  const { turns, activeTurn: active, steeringMessage, queuedMessages, inputRequests } = chat;
  return {
    turns: turns.map(turn),
    ...defined('activeTurn', active && activeTurn(active)),
    ...defined('steeringMessage', steeringMessage && pendingMessage(steeringMessage)),
    ...defined('queuedMessages', queuedMessages?.map(pendingMessage)),
    ...defined('inputRequests', inputRequests),
  };
}

function defined(name: string, value: unknown): WireObject {
  return value === undefined ? {} : { [name]: value };
}
