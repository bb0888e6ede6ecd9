import {
  AhpErrorCodes,
  CloseCodes,
  chatUri,
  PROTOCOL_VERSION,
  RpcError,
  supportedVersions,
  type TelemetryCapabilities,
  type URI,
} from '@ahpd/protocol';
import { EncodedJson } from '@ahpd/protocol/internal';
import { type Agreement, dialectOf, integerDialect, nativeDialect, negotiate } from '@ahpd/protocol/versions';
import type { Door } from '../core/door.js';
import { invalidParams, invalidRequest } from '../core/errors.js';
import type { Handler, Handlers } from '../core/handler.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import type { ClientProfile, Connection } from './connection.js';
import { ifReadable } from './if-readable.js';
import { MAX_CLIENT_ID_CHARS, MAX_SUBSCRIPTIONS } from './limits.js';
import type { StatelessChannels } from './stateless-channels.js';

/** What the host says of itself, and who hears that a client is back. */
export interface HandshakeWords {
  readonly defaultDirectory: URI | undefined;
  /** What clients may follow of the host's telemetry, if anything. */
  readonly telemetryChannels: TelemetryCapabilities | undefined;
  readonly completionTriggerCharacters: readonly string[];
  /** Called once a client that took up again has its answer. */
  readonly onBack: (connection: Connection) => void;
}

export interface HandshakeOptions extends HandshakeWords {
  readonly door: Door;
  readonly store: Store;
  readonly clock: Clock;
  readonly stateless: StatelessChannels;
  /** A connection is this client's from now on. */
  readonly claim: (connection: Connection) => void;
  /** A client starts anew: what it sent before is not remembered. */
  readonly startAnew: (clientId: string) => void;
}

interface StoredClient extends ClientProfile {
  readonly credential: string;
}

/** How a client introduces itself, or takes up again where its last connection ended. */
export function handshakeHandlers(options: HandshakeOptions) {
  const { door, store, clock, stateless, claim, startAnew } = options;
  const { defaultDirectory, telemetryChannels: telemetry, completionTriggerCharacters, onBack } = options;

  /** Binds the client id to its credential for good, then to this connection; an older one of the client ends. */
  const identify = (connection: Connection, { dialect, protocolVersion }: Agreement, about: About) => {
    const profile: ClientProfile = { ...about, protocolVersion };
    const { clientId } = profile;
    if (clientId === '' || clientId.length > MAX_CLIENT_ID_CHARS) {
      throw invalidParams(`params/clientId: expected 1 to ${MAX_CLIENT_ID_CHARS} characters`);
    }
    const stored = store.documents.read('client', clientId);
    const owner = stored === undefined ? connection.credential : (JSON.parse(stored) as StoredClient).credential;
    if (owner !== connection.credential) {
      throw invalidRequest(`the client id "${clientId}" belongs to somebody else; choose another one`);
    }
    const json = JSON.stringify({ ...profile, credential: owner } satisfies StoredClient);
    if (json !== stored) door.documents.put({ collection: 'client', key: clientId, json });
    door.flush();
    connection.identify(profile, dialect);
    claim(connection);
  };

  /** Snapshots of what there is; what is unknown is left out (OQ-11), and so is what is damaged. */
  const subscribeAll = (connection: Connection, uris: readonly URI[]): string => {
    const snapshots = [...new Set(uris)].flatMap((uri) => ifReadable(() => connection.view.attach(uri)) ?? []);
    return `[${snapshots.join(',')}]`;
  };

  const isAttached = (connection: Connection, uri: URI): boolean => {
    try {
      return stateless.attach(uri, connection);
    } catch (error) {
      if (error instanceof RpcError) return true; // left out, as anything else that is unknown (OQ-11)
      throw error;
    }
  };

  /** Subscribes to what has no state, of which nothing is said (OQ-11), and gives the rest. */
  const attachStateless = (connection: Connection, uris: readonly URI[]): URI[] =>
    uris.filter((uri) => !isAttached(connection, uri));

  const initialize: Handler<'initialize', Connection> = (params, connection) => {
    assertNew(connection);
    const { clientId, protocolVersions, initialSubscriptions = [], capabilities, locale } = params;
    const agreement = negotiate(offerOf(params));
    if (agreement === 'no offer') throw invalidParams('params/protocolVersions: expected a list of versions');
    if (agreement === 'nothing in common') {
      clock.defer(() => connection.peer.close(CloseCodes.UnsupportedVersion, 'no common protocol version'));
      throw new RpcError(
        AhpErrorCodes.UnsupportedProtocolVersion,
        `this host speaks ${supportedVersions.join(', ')}; the client offered ${protocolVersions.join(', ') || 'nothing'}`,
        { data: { supportedVersions } },
      );
    }
    boundSubscriptions(initialSubscriptions);
    identify(connection, agreement, { clientId, capabilities, locale });
    startAnew(clientId);
    const snapshots = subscribeAll(connection, attachStateless(connection, initialSubscriptions));
    const { protocolVersion, dialect } = agreement;
    const sinceIntegers = dialect === integerDialect ? {} : { completionTriggerCharacters, telemetry };
    const about = { protocolVersion, serverSeq: door.serverSeq, defaultDirectory, ...sinceIntegers };
    return new EncodedJson(`${JSON.stringify(about).slice(0, -1)},"snapshots":${snapshots}}`);
  };

  const reconnect: Handler<'reconnect', Connection> = (params, connection) => {
    assertNew(connection);
    const { clientId, lastSeenServerSeq, subscriptions } = params;
    boundSubscriptions(subscriptions);
    const known = readClient(store, clientId);
    const { capabilities, locale } = known ?? {};
    const agreement = known ? rememberedAgreement(known) : guessedAgreement(connection, subscriptions);
    identify(connection, agreement, { clientId, capabilities, locale });
    clock.defer(() => {
      if (!connection.peer.closed) onBack(connection);
    });
    const withState = attachStateless(connection, subscriptions);
    const missed = known && connection.view.resume(withState, lastSeenServerSeq);
    if (!missed) {
      return new EncodedJson(`{"type":"snapshot","snapshots":${subscribeAll(connection, withState)}}`);
    }
    const missing = agreement.dialect === integerDialect ? '' : `,"missing":${JSON.stringify(missed.missing)}`;
    return new EncodedJson(`{"type":"replay","actions":[${missed.envelopes}]${missing}}`);
  };

  const ping: Handler<'ping', Connection> = () => null;

  return { initialize, reconnect, ping } satisfies Handlers<Connection>;
}

type About = Omit<ClientProfile, 'protocolVersion'>;

/** An integer or a single version is an offer too; the request was completed with an empty list then. */
function offerOf(params: { protocolVersions: readonly string[]; protocolVersion?: unknown }): object {
  const { protocolVersions, protocolVersion } = params;
  return protocolVersion !== undefined && protocolVersions.length === 0 ? { protocolVersion } : { protocolVersions };
}

function rememberedAgreement({ protocolVersion }: ClientProfile): Agreement {
  return { protocolVersion, dialect: dialectOf(protocolVersion) ?? nativeDialect };
}

/** Nobody knows which version this client speaks, and `reconnect` does not say it: some things only one version does. */
function guessedAgreement(connection: Connection, subscriptions: readonly URI[]): Agreement {
  if (!connection.namesChannels) return { protocolVersion: 1, dialect: integerDialect };
  if (subscriptions.some((uri) => chatUri.matches(uri))) {
    return { protocolVersion: PROTOCOL_VERSION, dialect: nativeDialect };
  }
  throw invalidRequest('this host does not know the client; send "initialize" instead');
}

function assertNew(connection: Connection): void {
  if (connection.profile) throw invalidRequest('this connection has been initialized already');
}

function readClient(store: Store, clientId: string): StoredClient | undefined {
  const json = store.documents.read('client', clientId);
  return json === undefined ? undefined : (JSON.parse(json) as StoredClient);
}

function boundSubscriptions(uris: readonly URI[]): void {
  if (uris.length > MAX_SUBSCRIPTIONS) throw invalidParams(`a client can have ${MAX_SUBSCRIPTIONS} subscriptions`);
}
