import { isObject } from '../../common/is-object.js';
import { actionFrom04, requestFrom04 } from '../0.4/index.js';
import type { Directory, UpwardAction, WireDispatch } from '../dialect.js';
import { mapMember, type WireObject, without } from '../shared/wire.js';

export function requestFrom05(method: string, params: WireObject, directory: Directory): WireObject {
  const native = requestFrom04(method, params, directory);
  if (method !== 'createChat') return native;
  // The model of the first message is that of the chat, as far as a chat can have one.
  const { initialMessage } = native;
  return isObject(initialMessage) && isObject(initialMessage.model)
    ? { model: textConfig(initialMessage.model), ...native }
    : native;
}

export function actionFrom05(dispatch: WireDispatch, directory: Directory): UpwardAction {
  const { channel, action } = dispatch;
  switch (action.type) {
    case 'session/activeClientSet':
      return { kind: 'action', channel, action: { ...action, type: 'session/activeClientChanged' } };
    case 'session/activeClientRemoved': {
      const holder = directory.session(channel)?.activeClient?.clientId;
      if (holder !== undefined && holder !== action.clientId) {
        return { kind: 'reject', reason: `client "${String(action.clientId)}" is not active` };
      }
      const released = { ...without(action, 'clientId'), type: 'session/activeClientChanged', activeClient: null };
      return { kind: 'action', channel, action: released };
    }
    case 'chat/draftChanged':
      return { kind: 'reject', reason: 'this host does not keep drafts; keep them in the client' };
    case 'session/activeClientChanged':
    case 'session/activeClientToolsChanged':
    case 'session/modelChanged':
    case 'session/agentChanged':
      return { kind: 'reject', reason: `unknown action type "${action.type}"` };
    case 'chat/turnStarted':
    case 'chat/pendingMessageSet': {
      const message = mapMember(action, 'message', withTextConfig);
      return actionFrom04({ channel, action: { ...message, type: action.type } }, directory);
    }
    default:
      return actionFrom04(dispatch, directory);
  }
}

function withTextConfig(message: unknown): unknown {
  return isObject(message)
    ? mapMember(message, 'model', (model) => (isObject(model) ? textConfig(model) : model))
    : message;
}

/** Natively the settings of a model are texts; 0.5 also has numbers and truth values. */
function textConfig(model: WireObject): WireObject {
  const { config } = model;
  if (!isObject(config)) return model;
  return { ...model, config: Object.fromEntries(Object.entries(config).map(([key, value]) => [key, String(value)])) };
}
