import { chainedAction } from '../chained-dialect.js';
import { chain04 } from '../chains.js';
import type { Directory, UpwardAction, WireDispatch } from '../dialect.js';
import { chatTypeOf } from '../shared/conversation.js';
import { legacyChat } from '../shared/legacy-chat.js';
import { methods02 } from '../shared/methods.js';
import { nativeParams, onRoot, requestWithChats } from '../shared/request-params.js';
import type { WireObject } from '../shared/wire.js';

/** A request of 0.3 as a native one; undefined when 0.3 has no such method. */
export function requestFrom03(method: string, params: WireObject, directory: Directory): WireObject | undefined {
  return methods02.has(method) ? requestWithoutChats(method, params, directory) : undefined;
}

/** The same for every version without chats. */
export function requestWithoutChats(method: string, params: WireObject, directory: Directory): WireObject {
  const named = nativeParams(method, params, directory, { chat: 'legacy', withRoot: onRoot });
  return requestWithChats(method, chain04.request(method, named, directory), directory);
}

/** What a client may send only since 0.4. */
const LATER = /^(chat\/|annotations\/|session\/defaultChatChanged$)/;

/** What is chosen for a session is chosen for its own chat. */
const SELECTING: ReadonlySet<string> = new Set(['session/modelChanged', 'session/agentChanged']);

/** An action of 0.3 as a native one: the conversation of a session is that of its own chat. */
export function actionFrom03(dispatch: WireDispatch, directory: Directory): UpwardAction {
  const named = named04(dispatch, directory);
  return named.kind === 'action' ? chainedAction(chain04, named, directory) : named;
}

/** The action of 0.4 that is meant, with its channel. */
function named04({ channel, action }: WireDispatch, directory: Directory): UpwardAction {
  const isSelecting = SELECTING.has(action.type);
  const type = chatTypeOf(action.type) ?? (isSelecting ? action.type : undefined);
  const pseudo = directory.chat(channel) !== undefined;
  if (type === undefined) {
    if (LATER.test(action.type)) {
      return { kind: 'reject', reason: `unknown action type "${action.type}"` };
    }
    if (pseudo) return { kind: 'reject', reason: `"${action.type}" does not belong on a sub-agent's conversation` };
    return { kind: 'action', channel, action };
  }
  if (pseudo) return { kind: 'action', channel, action: { ...action, type } };
  const session = directory.session(channel);
  // Of an unknown session nothing is said; one without a chat has none to talk in.
  if (!session) return { kind: 'action', channel, action };
  const chat = legacyChat(session);
  if (chat === undefined) {
    if (type === 'chat/turnStarted') return { kind: 'needsChat', session: channel };
    return { kind: 'reject', reason: 'the session has no chat' };
  }
  return { kind: 'action', channel: chat, action: { ...action, type } };
}
