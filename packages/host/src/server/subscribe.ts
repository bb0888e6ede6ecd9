import {
  AhpErrorCodes,
  kindOfUri,
  RpcError,
  type SubscribeParams,
  type SubscribeView,
  type URI,
} from '@moorage/protocol';
import { EncodedJson } from '@moorage/protocol/internal';
import { invalidParams, invalidRequest, notFound, sessionNotFound } from '../core/errors.js';
import type { Handler } from '../core/handler.js';
import { isSessionUri } from '../core/session-uri.js';
import type { Connection } from './connection.js';
import { MAX_SUBSCRIPTIONS } from './limits.js';
import type { StatelessChannels } from './stateless-channels.js';

/** Called before a channel is shown: a returned promise brings it up to date first. */
export type Prepare = (uri: URI) => Promise<void> | undefined;

/** The `subscribe` request, and the `unsubscribe` notification, which has no answer. */
export function subscribing(stateless: StatelessChannels, prepare: Prepare) {
  const attach = (uri: URI, connection: Connection, view: SubscribeView | undefined) => {
    if (connection.peer.closed) throw invalidRequest('the connection has ended');
    const isNew = !connection.channels.has(uri);
    if (isNew && connection.channels.size >= MAX_SUBSCRIPTIONS) {
      throw invalidRequest(`a client can have ${MAX_SUBSCRIPTIONS} subscriptions; release some first`);
    }
    if (stateless.attach(uri, connection)) return {};
    const snapshot = connection.view.attach(uri, view);
    if (snapshot === undefined) throw unknownChannel(uri);
    return new EncodedJson(`{"snapshot":${snapshot}}`);
  };
  const waiting = new Set<Waiting>();
  const attachLater = async ({ channel, view }: SubscribeParams, connection: Connection, prepared: Promise<void>) => {
    const request: Waiting = { channel, connection, isReleased: false };
    waiting.add(request);
    await prepared.finally(() => waiting.delete(request));
    const wasSubscribedAgain = connection.channels.has(channel); // by a later request
    const answer = attach(channel, connection, view);
    if (request.isReleased && !wasSubscribedAgain) connection.view.detach(channel);
    return answer;
  };
  const subscribe: Handler<'subscribe', Connection> = (params, connection) => {
    const { channel, view } = params;
    const prepared = prepare(channel);
    return prepared ? attachLater(params, connection, prepared) : attach(channel, connection, view);
  };
  /** Also releases a `subscribe` that came before and is still waiting: the client gets its answer and nothing more (B-50). */
  const unsubscribe = (channel: URI, connection: Connection) => {
    for (const request of waiting) {
      if (request.channel === channel && request.connection === connection) request.isReleased = true;
    }
    connection.view.detach(channel);
  };
  return { subscribe, unsubscribe };
}

/** A `subscribe` whose channel is being brought up to date. */
interface Waiting {
  readonly channel: URI;
  readonly connection: Connection;
  isReleased: boolean;
}

/** The error for a URI without a channel; "invalid params" when it could not name a channel at all (OQ-18). */
function unknownChannel(uri: string): RpcError {
  const kind = kindOfUri(uri);
  if (kind === 'session') return sessionNotFound(uri);
  if (kind === 'telemetry' || kind === 'mcp')
    return new RpcError(AhpErrorCodes.NotFound, `this host does not offer ${uri}`);
  if (kind) return notFound(uri);
  return isSessionUri(uri) ? sessionNotFound(uri) : invalidParams('params/channel: expected the URI of a channel');
}
