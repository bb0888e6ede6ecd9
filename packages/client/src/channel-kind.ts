import { type ChannelKind, channelRegistry, kindOfUri } from '@moorage/protocol';
import { RequestError } from './errors.js';

/** The kind of state that a channel has; throws when neither its URI nor the caller tells (B-39). */
export function stateKindOf(uri: string, said?: ChannelKind): ChannelKind {
  const kind = said ?? kindOfUri(uri);
  if (kind === undefined) throw new RequestError('invalid', 'subscribe', `say what kind of channel ${uri} is`);
  if (!hasState(kind)) throw new RequestError('invalid', 'subscribe', `${uri} is a channel without state`);
  return kind;
}

export function isStateless(uri: string): boolean {
  const kind = kindOfUri(uri);
  return kind !== undefined && !hasState(kind);
}

function hasState(kind: string): kind is ChannelKind {
  return Object.hasOwn(channelRegistry, kind);
}
