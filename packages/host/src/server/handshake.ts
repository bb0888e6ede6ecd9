import {
  AhpErrorCodes,
  EncodedJson,
  negotiateVersion,
  PROTOCOL_VERSION,
  RpcError,
  type Snapshot,
  supportedVersions,
  type URI,
} from '@ahpd/protocol';
import type { Door } from '../core/door.js';
import { invalidParams, invalidRequest } from '../core/errors.js';
import type { Handler, Handlers } from '../core/handler.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import type { ClientProfile, Connection } from './connection.js';
import { CLOSE_UNSUPPORTED_VERSION, MAX_SUBSCRIPTIONS } from './limits.js';
import { isStateless, missedBy } from './replay.js';
import type { Server } from './server.js';

export interface HandshakeOptions {
  readonly door: Door;
  readonly store: Store;
  readonly clock: Clock;
  readonly server: () => Server;
  readonly defaultDirectory: URI | undefined;
}

interface StoredClient extends ClientProfile {
  readonly credential: string;
}

/** How a client introduces itself, or takes up again where its last connection ended. */
export function handshakeHandlers(options: HandshakeOptions) {
  const { door, store, clock, server, defaultDirectory } = options;

  const identify = (connection: Connection, profile: ClientProfile) => {
    const { clientId } = profile;
    if (connection.profile) throw invalidRequest('this connection has been initialized already');
    if (clientId === '') throw invalidParams('params/clientId: expected an id that is not empty');
    const known = readClient(store, clientId);
    if (known && known.credential !== connection.credential) {
      throw invalidRequest(`the client id "${clientId}" belongs to somebody else; choose another one`);
    }
    connection.identify(profile);
    server().claim(connection);
    const json = JSON.stringify({ ...profile, credential: connection.credential } satisfies StoredClient);
    door.putDocument({ collection: 'client', key: clientId, json });
  };

  const subscribeAll = (connection: Connection, uris: readonly URI[]): Snapshot[] => {
    const snapshots: Snapshot[] = [];
    for (const uri of new Set(uris)) {
      const channel = isStateless(uri) ? undefined : door.channels.load(uri);
      if (!channel) continue; // unknown ones are left out (OQ-11)
      snapshots.push(door.snapshot(channel));
      door.subscriptions.add(connection, uri);
    }
    return snapshots;
  };

  const initialize: Handler<'initialize', Connection> = (params, connection) => {
    const { clientId, protocolVersions, initialSubscriptions = [], capabilities, locale } = params;
    const protocolVersion = negotiateVersion(protocolVersions);
    if (protocolVersion === undefined) {
      clock.defer(() => connection.peer.close(CLOSE_UNSUPPORTED_VERSION, 'no common protocol version'));
      throw new RpcError(
        AhpErrorCodes.UnsupportedProtocolVersion,
        `this host speaks ${supportedVersions.join(', ')}; the client offered ${protocolVersions.join(', ') || 'nothing'}`,
        { data: { supportedVersions } },
      );
    }
    boundSubscriptions(initialSubscriptions);
    identify(connection, { clientId, protocolVersion, capabilities, locale });
    door.flush();
    const snapshots = subscribeAll(connection, initialSubscriptions);
    return { protocolVersion, serverSeq: door.serverSeq, snapshots, ...(defaultDirectory && { defaultDirectory }) };
  };

  const reconnect: Handler<'reconnect', Connection> = (params, connection) => {
    const { clientId, lastSeenServerSeq, subscriptions } = params;
    boundSubscriptions(subscriptions);
    const known = readClient(store, clientId);
    const { protocolVersion = PROTOCOL_VERSION, capabilities, locale } = known ?? {};
    identify(connection, { clientId, protocolVersion, capabilities, locale });
    door.flush();
    const missed = known && missedBy(door, subscriptions, lastSeenServerSeq);
    if (!missed) return { type: 'snapshot', snapshots: subscribeAll(connection, subscriptions) };
    for (const uri of missed.resumed) door.subscriptions.add(connection, uri);
    return new EncodedJson(
      `{"type":"replay","actions":[${missed.envelopes}],"missing":${JSON.stringify(missed.missing)}}`,
    );
  };

  const ping: Handler<'ping', Connection> = () => null;

  return { initialize, reconnect, ping } satisfies Handlers<Connection>;
}

function readClient(store: Store, clientId: string): StoredClient | undefined {
  const json = store.documents.read('client', clientId);
  return json === undefined ? undefined : (JSON.parse(json) as StoredClient);
}

function boundSubscriptions(uris: readonly URI[]): void {
  if (uris.length > MAX_SUBSCRIPTIONS) throw invalidParams(`a client can have ${MAX_SUBSCRIPTIONS} subscriptions`);
}
