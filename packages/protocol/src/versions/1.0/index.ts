import type { URI } from '../../common/uri.js';
import type { Dialect, Directory, UpwardAction, WireDispatch } from '../dialect.js';
import { chatTypeOf } from '../shared/conversation.js';
import { requestWithChats } from '../shared/request-params.js';
import type { WireObject } from '../shared/wire.js';

/** The native version, for clients of any 1.x. Only mistakes that real clients make are corrected. */
export const dialect10: Dialect = {
  name: '1.0',
  down: undefined,
  up: { request: requestWithChats, channelOf, action: actionFrom10 },
};

/** The same in all versions that have channels. */
export function channelOf({ channel }: WireObject): URI | undefined {
  return typeof channel === 'string' ? channel : undefined;
}

export function actionFrom10({ channel, action }: WireDispatch, directory: Directory): UpwardAction {
  if (action.type.startsWith('chat/')) {
    const chat = directory.session(channel)?.defaultChat; // a client that cancels on the session means its chat
    return { kind: 'action', channel: chat ?? channel, action };
  }
  const chatType = chatTypeOf(action.type);
  if (chatType === undefined) return { kind: 'action', channel, action };
  const chat = directory.session(channel)?.defaultChat;
  if (chat === undefined) return { kind: 'action', channel, action };
  return { kind: 'reject', reason: `send "${chatType}" on the chat ${chat} instead` };
}
