import { AhpErrorCodes, kindOfUri, RpcError, type URI } from '@ahpd/protocol';
import { EncodedJson } from '@ahpd/protocol/internal';
import { invalidParams, invalidRequest, notFound, sessionNotFound } from '../core/errors.js';
import type { Handler } from '../core/handler.js';
import { isSessionUri } from '../core/session-uri.js';
import type { Connection } from './connection.js';
import { MAX_SUBSCRIPTIONS } from './limits.js';
import type { StatelessChannels } from './stateless-channels.js';

/** May bring a channel up to date before it is shown. */
export type Prepare = (uri: URI) => Promise<void> | undefined;

/** Subscribing to one channel, and releasing it, which is a notification and needs no answer. */
export function subscribing(stateless: StatelessChannels, prepare: Prepare) {
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
  const waiting = new Set<Waiting>();
  const attachLater = async (channel: URI, connection: Connection, prepared: Promise<void>) => {
    const own: Waiting = { channel, connection, isReleased: false };
    waiting.add(own);
    await prepared.finally(() => waiting.delete(own));
    const isHeldAnew = connection.channels.has(channel);
    const answer = attach(channel, connection);
    if (own.isReleased && !isHeldAnew) connection.view.detach(channel);
    return answer;
  };
  const subscribe: Handler<'subscribe', Connection> = ({ channel }, connection) => {
    const prepared = prepare(channel);
    return prepared ? attachLater(channel, connection, prepared) : attach(channel, connection);
  };
  /** Also counts for a `subscribe` that came before and still waits: its answer is all that the client gets (B-50). */
  const unsubscribe = (channel: URI, connection: Connection) => {
    for (const one of waiting) if (one.channel === channel && one.connection === connection) one.isReleased = true;
    connection.view.detach(channel);
  };
  return { subscribe, unsubscribe };
}

interface Waiting {
  readonly channel: URI;
  readonly connection: Connection;
  isReleased: boolean;
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
