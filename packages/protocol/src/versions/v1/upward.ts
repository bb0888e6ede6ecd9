import { ROOT_URI } from '../../channels/root/uri.js';
import { sessionUri } from '../../channels/session/uri.js';
import { isObject } from '../../common/is-object.js';
import type { URI } from '../../common/uri.js';
import { actionFrom02 } from '../0.2/upward.js';
import { requestWithoutChats } from '../0.3/upward.js';
import type { Directory, UpwardAction, WireDispatch } from '../dialect.js';
import { methods01, v1Methods } from '../shared/methods.js';
import { mapMember, type WireObject, without } from '../shared/wire.js';
import { idOfCustomization, nativeActiveClient } from './customization.js';
import { type Era, nativeMessage } from './message.js';
import { providerUri } from './uri.js';

export function requestFromV1(
  method: string,
  params: WireObject,
  directory: Directory,
  era: Era,
): WireObject | undefined {
  if (!(era === '0.1' ? methods01 : v1Methods).has(method)) return undefined;
  return requestWithoutChats(method, renamed(method, withChannel(method, params), directory), directory);
}

function renamed(method: string, params: WireObject, directory: Directory): WireObject {
  switch (method) {
    case 'createSession':
      return createSession(params, directory);
    case 'createTerminal':
      return mapMember(params, 'claim', (claim) => nativeClaim(claim, directory));
    case 'resourceWrite':
      return without(params, 'mode', 'position', 'ifMatch');
    default:
      return params;
  }
}

/** What an action is about is named in it; actions on the root name nothing. */
export function channelOfV1(params: WireObject): URI | undefined {
  const { channel, action } = params;
  if (!isObject(action)) return undefined;
  const named = action.session ?? action.terminal ?? channel;
  if (typeof named === 'string') return named;
  return typeof action.type === 'string' && action.type.startsWith('root/') ? ROOT_URI : undefined;
}

export function actionFromV1({ channel, action }: WireDispatch, directory: Directory): UpwardAction {
  const { session: _session, terminal: _terminal, ...bare } = action;
  const native = { ...bare, type: action.type };
  switch (action.type) {
    case 'session/customizationToggled': {
      const { uri, ...others } = native as WireObject & { type: string };
      const id = idOfCustomization(directory.session(channel)?.customizations, String(uri));
      if (id === undefined) return { kind: 'reject', reason: `there is no customization "${String(uri)}"` };
      return actionFrom02({ channel, action: { ...others, type: action.type, id } }, directory);
    }
    case 'session/isDoneChanged': {
      const { isDone } = action;
      return { kind: 'action', channel, action: { type: 'session/isArchivedChanged', isArchived: isDone } };
    }
    case 'session/activeClientChanged':
      return actionFrom02(
        { channel, action: withType(mapMember(native, 'activeClient', nativeActiveClient)) },
        directory,
      );
    case 'terminal/claimed':
      return actionFrom02(
        { channel, action: withType(mapMember(native, 'claim', (claim) => nativeClaim(claim, directory))) },
        directory,
      );
    case 'session/agentChanged':
      return { kind: 'reject', reason: `unknown action type "${action.type}"` };
    default: {
      const message = mapMember(mapMember(native, 'userMessage', nativeMessage), 'userSuggestion', nativeMessage);
      return actionFrom02({ channel, action: withType(message) }, directory);
    }
  }
}

function withType(action: WireObject): WireObject & { type: string } {
  return { ...action, type: String(action.type) };
}

function withChannel(method: string, params: WireObject): WireObject {
  const name = CHANNEL_NAMES[method];
  if (name === undefined || params[name] === undefined) return params;
  return { ...without(params, name), channel: params[name] };
}

const CHANNEL_NAMES: { readonly [method: string]: string } = {
  subscribe: 'resource',
  unsubscribe: 'resource',
  createSession: 'session',
  disposeSession: 'session',
  fetchTurns: 'session',
  completions: 'session',
  createTerminal: 'terminal',
  disposeTerminal: 'terminal',
};

/** The scheme of the URI is the provider; natively such a session has a URI of ours, and this one is its alias. */
function createSession(params: WireObject, directory: Directory): WireObject {
  const { channel, fork } = params;
  const own = typeof channel === 'string' ? providerUri(channel) : undefined;
  const provider = params.provider ?? own?.provider;
  const isAlias = own !== undefined && own.provider === provider && !directory.session(String(channel));
  return {
    ...mapMember(params, 'activeClient', nativeActiveClient),
    ...(isAlias && { channel: sessionUri.format(own.id) }),
    ...(provider !== undefined && { provider }),
    ...(isObject(fork) && { fork: mapMember(fork, 'session', (uri) => resolved(uri, directory)) }),
  };
}

function nativeClaim(claim: unknown, directory: Directory): unknown {
  return isObject(claim) ? mapMember(claim, 'session', (uri) => resolved(uri, directory)) : claim;
}

function resolved(uri: unknown, directory: Directory): unknown {
  return typeof uri === 'string' ? directory.resolve(uri) : uri;
}
