import { activityOf, SessionStatus, withActivity } from '../../common/status.js';
import { withoutAdditionalProperties } from '../shared/config-schema.js';
import { asList, asObject, defined, mapObject, type WireObject, without } from '../shared/wire.js';
import { withCustomizations } from './customization.js';
import { activeTurn, errorInfo, pendingMessage, turn } from './message.js';

/** A session merged with its own chat, as it was before chats existed. */
export function sessionState(session: WireObject, chat: WireObject | undefined): WireObject {
  const { chats: _chats, defaultChat: _default, summary, ...same } = session;
  const { status, model, agent, workingDirectory, ...listed } = listedSummary(asObject(summary));
  const state = {
    ...mapObject(withCustomizations(same), 'activeClient', withCustomizations),
    summary: {
      ...listed,
      ...defined('model', chat?.model ?? model),
      ...defined('agent', chat?.agent ?? agent),
      ...defined('workingDirectory', chat?.workingDirectory ?? workingDirectory),
      // What the client's own reducer will make of the conversation; other chats show only in lists.
      status: withActivity(Number(status), chat ? activityOf(Number(chat.status)) : SessionStatus.Idle),
    },
    ...conversation(chat),
  };
  return mapObject(mapObject(state, 'creationError', errorInfo), 'config', (config) =>
    mapObject(config, 'schema', withoutAdditionalProperties),
  );
}

/** Any other chat, shown as a session. Its activity is left out, because no action would tell when it ends. */
export function pseudoSession(chat: WireObject, session: WireObject): WireObject {
  const { provider, createdAt, project, model, agent, workingDirectory } = asObject(session.summary);
  return {
    summary: {
      resource: chat.resource,
      provider,
      title: chat.title,
      status: chat.status,
      createdAt,
      modifiedAt: Date.parse(String(chat.modifiedAt)),
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
export function listedSummary(later: WireObject): WireObject {
  return without(later, 'annotations');
}

function conversation(chat: WireObject | undefined): WireObject {
  if (!chat) return { turns: [] };
  const { turns, activeTurn: active, steeringMessage, queuedMessages, inputRequests } = chat;
  return {
    turns: asList(turns).map(turn),
    ...defined('activeTurn', active && activeTurn(asObject(active))),
    ...defined('steeringMessage', steeringMessage && pendingMessage(asObject(steeringMessage))),
    ...defined('queuedMessages', queuedMessages && asList(queuedMessages).map(pendingMessage)),
    ...defined('inputRequests', inputRequests),
  };
}
