import { AhpErrorCodes, EncodedJson, kindOfUri, RpcError, type URI } from '@ahpd/protocol';
import { invalidParams, invalidRequest, notFound, sessionNotFound } from '../core/errors.js';
import type { Handler, Handlers } from '../core/handler.js';
import { isSessionUri } from '../core/session-uri.js';
import type { Connection } from './connection.js';
import { MAX_SUBSCRIPTIONS } from './limits.js';
import type { StatelessChannels } from './stateless-channels.js';

/** May bring a channel up to date before it is shown. */
export type Prepare = (uri: URI) => Promise<void> | undefined;

/** Subscribing to one channel; releasing it is a notification and needs no answer. */
export function subscribeHandler(stateless: StatelessChannels, prepare: Prepare) {
  const attach = (uri: URI, connection: Connection) => {
    if (connection.peer.closed) throw invalidRequest('the connection has ended');
    const isNew = !connection.channels.has(uri);
    if (isNew && connection.channels.size >= MAX_SUBSCRIPTIONS) {
      throw invalidRequest(`a client can have ${MAX_SUBSCRIPTIONS} subscriptions; release some first`);
    }
    if (stateless.attach(uri, connection)) return {};
    const snapshot = connection.view.attach(uri);
    if (snapshot === undefined) throw unknownChannel(uri);
    return new EncodedJson(`{"snapshot":${snapshot}}`);
  };
  const subscribe: Handler<'subscribe', Connection> = ({ channel }, connection) =>
    prepare(channel)?.then(() => attach(channel, connection)) ?? attach(channel, connection);
  return { subscribe } satisfies Handlers<Connection>;
}

/** What is unknown, and what could not be a channel at all (OQ-18). */
function unknownChannel(uri: string): RpcError {
  const kind = kindOfUri(uri);
  if (kind === 'session') return sessionNotFound(uri);
  if (kind === 'telemetry' || kind === 'mcp')
    return new RpcError(AhpErrorCodes.NotFound, `this host does not offer ${uri}`);
  if (kind) return notFound(uri);
  return isSessionUri(uri) ? sessionNotFound(uri) : invalidParams('params/channel: expected the URI of a channel');
}
