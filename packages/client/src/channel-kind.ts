import { type ChannelKind, channelRegistry, kindOfUri } from '@moorage/protocol';
import { RequestError } from './errors.js';

/** The kind of state that a channel has; throws when neither its URI nor the caller tells (B-39). */
export function stateKindOf(uri: string, said?: ChannelKind): ChannelKind {
  const form = kindOfUri(uri);
  const kind = said ?? form;
  if (kind === undefined) throw new RequestError('invalid', 'subscribe', `say what kind of channel ${uri} is`);
  if (!hasState(kind)) throw new RequestError('invalid', 'subscribe', `${uri} is a channel without state`);
  if (form !== undefined && form !== kind) throw new RequestError('invalid', 'subscribe', mismatch(uri, form, kind));
  return kind;
}

function mismatch(uri: string, form: string, kind: ChannelKind): string {
  const what = `${uri} is the URI of a ${form} channel, not of a ${kind} channel`;
  if (form === 'session' && kind === 'chat') {
    return `${what}; open the session with client.session(uri), then one of its chats (defaultChat or chats[].resource)`;
  }
  return hasState(form) ? `${what}; open it with client.${form}(uri)` : what;
}

export function isStateless(uri: string): boolean {
  const kind = kindOfUri(uri);
  return kind !== undefined && !hasState(kind);
}

function hasState(kind: string): kind is ChannelKind {
  return Object.hasOwn(channelRegistry, kind);
}
