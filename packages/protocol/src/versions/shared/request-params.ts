import { ROOT_URI } from '../../channels/root/uri.js';
import { AhpErrorCodes } from '../../connection/errors.js';
import { requestRow } from '../../messages.js';
import { JsonRpcErrorCodes, RpcError } from '../../rpc/errors.js';
import type { Directory } from '../dialect.js';
import { legacyChat } from './legacy-chat.js';
import type { WireObject } from './wire.js';

/** Clients leave `channel` out of requests about the connection, which can only mean the root. */
function withRootChannel(method: string, params: WireObject): WireObject {
  if (params.channel !== undefined || requestRow(method)?.channel !== 'root') return params;
  return { ...params, channel: ROOT_URI };
}

/** `channel` with aliases resolved. */
function withResolvedChannel(params: WireObject, directory: Directory): WireObject {
  const { channel } = params;
  if (typeof channel !== 'string') return params;
  const resolved = directory.resolve(channel);
  return resolved === channel ? params : { ...params, channel: resolved };
}

/** A session where its chat is meant: the one that versions without chats show, or the default one. */
function withChatChannel(params: WireObject, directory: Directory, which: 'legacy' | 'default'): WireObject {
  const { channel } = params;
  if (typeof channel !== 'string' || directory.chat(channel)) return params;
  const session = directory.session(channel);
  if (!session) {
    if (which === 'default') return params; // the method itself says what is wrong
    throw new RpcError(AhpErrorCodes.SessionNotFound, `there is no session ${channel}`);
  }
  const chat = which === 'legacy' ? legacyChat(session) : session.defaultChat;
  if (chat === undefined) throw new RpcError(AhpErrorCodes.NotFound, `session ${channel} has no chat`);
  return { ...params, channel: chat };
}

/** The guide calls the changeset of an operation `changeset`, the reference `channel`: either will do (D-3). */
function withChangesetChannel(params: WireObject): WireObject {
  const { channel, changeset } = params;
  if (changeset === undefined) return params;
  if (channel !== undefined && channel !== changeset) {
    throw new RpcError(JsonRpcErrorCodes.InvalidParams, 'params/changeset: expected the same URI as in params/channel');
  }
  return { ...params, channel: changeset };
}

/** Connection-level requests on another channel than the root can only mean the root. */
export function onRoot(method: string, params: WireObject): WireObject {
  if (requestRow(method)?.channel !== 'root' || params.channel === ROOT_URI) return params;
  return { ...params, channel: ROOT_URI };
}

/** Clients ask for the folder to start in by an empty URI. */
function withDirectory(params: WireObject, { defaultDirectory }: Directory): WireObject {
  return params.uri === '' && defaultDirectory !== undefined ? { ...params, uri: defaultDirectory } : params;
}

/** A model is an object; the documents themselves show it as a string, and early clients sent that. */
export function withModelObject(params: WireObject): WireObject {
  return typeof params.model === 'string' ? { ...params, model: { id: params.model } } : params;
}

/** How a version names what its requests are about. */
interface Naming {
  /** The chat that a session stands for. */
  readonly chat: 'legacy' | 'default';
  withRoot(method: string, params: WireObject): WireObject;
}

/** The same for every version that has chats. */
export function requestWithChats(method: string, params: WireObject, directory: Directory): WireObject {
  return nativeParams(method, params, directory, { chat: 'default', withRoot: withRootChannel });
}

/** The native parameters of a request that is called the same natively. */
export function nativeParams(
  method: string,
  params: WireObject,
  directory: Directory,
  { chat, withRoot }: Naming,
): WireObject {
  switch (method) {
    case 'fetchTurns':
    case 'completions':
      return withChatChannel(withResolvedChannel(params, directory), directory, chat);
    case 'createSession':
      return withModelObject(params);
    case 'invokeChangesetOperation':
      return withChangesetChannel(params);
    case 'resourceList':
      return withDirectory(withRoot(method, params), directory);
    case 'subscribe': // its snapshot has the URI that the client used
      return params;
    default:
      return withResolvedChannel(withRoot(method, params), directory);
  }
}
