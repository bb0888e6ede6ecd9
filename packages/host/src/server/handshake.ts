import {
  AhpErrorCodes,
  CloseCodes,
  ExtensionMeta,
  type Implementation,
  type InitializeParams,
  isObject,
  type ReconnectParams,
  RpcError,
  type TelemetryCapabilities,
  type URI,
} from '@moorage/protocol';
import { EncodedJson } from '@moorage/protocol/internal';
import {
  type Agreement,
  type Directory,
  dialectOf,
  integerDialect,
  nativeDialect,
  negotiate,
  supportedRanges,
} from '@moorage/protocol/versions';
import type { Door } from '../core/door.js';
import { invalidParams, invalidRequest } from '../core/errors.js';
import type { Handler, Handlers } from '../core/handler.js';
import type { Authorize } from '../ports/authorize.js';
import type { Clock } from '../ports/clock.js';
import type { ClientProfile, Connection } from './connection.js';
import type { DispatchMemory } from './dispatch-memory.js';
import { ifReadable } from './if-readable.js';
import type { KnownClients } from './known-clients.js';
import { MAX_CLIENT_ID_CHARS, MAX_PROGRAM_CHARS, MAX_SUBSCRIPTIONS } from './limits.js';
import type { StatelessChannels } from './stateless-channels.js';
import type { Prepare } from './subscribe.js';

/** What the host tells clients of itself in the handshake, and who is told of clients that reconnect. */
export interface HandshakeSettings {
  readonly defaultDirectory: URI | undefined;
  /** The telemetry channels that clients may subscribe to, if any. */
  readonly telemetryChannels: TelemetryCapabilities | undefined;
  readonly completionTriggerCharacters: readonly string[];
  /** What the host says it is. */
  readonly serverInfo: Implementation | undefined;
  /** Reads what `initialize` subscribes to, where that is not at hand. */
  readonly loadInitial?: Prepare;
  /** Called after a `reconnect` has been answered. */
  readonly onReconnected: (connection: Connection) => void;
}

export interface HandshakeOptions extends HandshakeSettings {
  readonly door: Door;
  readonly clients: KnownClients;
  readonly authorize: Authorize;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly stateless: StatelessChannels;
  /** Loads a long channel without making others wait; undefined when it takes no time. */
  readonly load: Prepare;
  /** Makes this the connection of its client, which has just been identified. */
  readonly claim: (connection: Connection) => void;
  readonly dispatches: DispatchMemory;
}

/** The handlers of `initialize`, `reconnect` and `ping`. */
export function handshakeHandlers(options: HandshakeOptions) {
  const { door, clients, directory, clock, stateless, claim, dispatches, load, authorize } = options;
  const {
    defaultDirectory,
    telemetryChannels: telemetry,
    completionTriggerCharacters,
    serverInfo,
    onReconnected,
  } = options;

  /** Binds the client id to its credential permanently, then makes this its connection; an older one is closed. */
  const identify = (connection: Connection, { dialect, protocolVersion }: Agreement, about: About) => {
    const profile: ClientProfile = { ...about, protocolVersion, role: connection.grant?.role };
    const { clientId } = profile;
    if (clientId === '' || clientId.length > MAX_CLIENT_ID_CHARS) {
      throw invalidParams(`params/clientId: expected 1 to ${MAX_CLIENT_ID_CHARS} characters`);
    }
    clients.keep(connection, profile);
    door.flush();
    connection.identify(profile, dialect);
    claim(connection);
  };

  /** Subscribes, and returns the snapshots as a JSON list. Unknown (OQ-11) and damaged channels are left out. */
  const subscribeAll = (connection: Connection, uris: readonly URI[]): string => {
    const snapshots = [...new Set(uris)].flatMap((uri) => ifReadable(() => connection.view.attach(uri)) ?? []);
    return `[${snapshots.join(',')}]`;
  };

  /** Whether the URI is done with: subscribed to, or unknown and so left out (OQ-11). False for channels with state. */
  const attachIfStateless = (connection: Connection, uri: URI): boolean => {
    try {
      return stateless.attach(uri, connection);
    } catch (error) {
      if (error instanceof RpcError) return true;
      throw error;
    }
  };

  const mayFollow = (connection: Connection, uri: URI): boolean => {
    const channel = directory.resolve(uri);
    return authorize(connection, { kind: 'request', channel, method: 'subscribe', params: { channel } }) === undefined;
  };

  /** Subscribes to the channels without state, which have no snapshot (OQ-11), and returns the others. */
  const attachStateless = (connection: Connection, uris: readonly URI[]): URI[] =>
    uris.filter((uri) => !attachIfStateless(connection, uri));

  const initialize: Handler<'initialize', Connection> = (params, connection) => {
    const loading = options.loadInitial && (params.initialSubscriptions ?? []).slice(0, MAX_SUBSCRIPTIONS);
    const loaded = loading?.flatMap((uri) => options.loadInitial?.(uri) ?? []) ?? [];
    return loaded.length === 0 ? begin(params, connection) : Promise.all(loaded).then(() => begin(params, connection));
  };

  const begin = (params: InitializeParams, connection: Connection) => {
    assertNotInitialized(connection);
    const { clientId, protocolVersions, initialSubscriptions = [], capabilities, locale } = params;
    const agreement = negotiate(offerOf(params));
    if (agreement === 'no offer') throw invalidParams('params/protocolVersions: expected a list of versions');
    if (typeof agreement === 'object' && 'malformed' in agreement) {
      const entry = JSON.stringify(agreement.malformed);
      throw invalidParams(`params/protocolVersions: expected versions such as "1.0.0", but one is ${entry}`);
    }
    if (agreement === 'nothing in common') {
      clock.defer(() => connection.peer.close(CloseCodes.UnsupportedVersion, 'no common protocol version'));
      throw new RpcError(
        AhpErrorCodes.UnsupportedProtocolVersion,
        `this host speaks ${supportedRanges.join(', ')}; the client offered ${protocolVersions.join(', ') || 'nothing'}`,
        { data: { supportedVersions: supportedRanges } },
      );
    }
    assertSubscriptionCount(initialSubscriptions);
    identify(connection, agreement, { clientId, capabilities, locale, ...introductionOf(params) });
    dispatches.forget(clientId);
    const allowed = initialSubscriptions.filter((uri) => mayFollow(connection, uri));
    const snapshots = subscribeAll(connection, attachStateless(connection, allowed));
    const { protocolVersion, dialect } = agreement;
    const about = {
      protocolVersion,
      serverSeq: door.serverSeq,
      defaultDirectory,
      ...(dialect !== integerDialect && { completionTriggerCharacters, telemetry }),
      serverInfo,
      _meta: {
        'vscode.ahpSessionUris': true, // sessions may have URIs of the protocol's own scheme (V-9)
        ...(connection.grant && { [ExtensionMeta.person]: connection.grant }),
      },
    };
    const shown = dialect.down?.result('initialize', about, directory) ?? about;
    return new EncodedJson(`${JSON.stringify(shown).slice(0, -1)},"snapshots":${snapshots}}`);
  };

  const reconnect: Handler<'reconnect', Connection> = (params, connection) => {
    assertNotInitialized(connection);
    assertSubscriptionCount(params.subscriptions);
    const loading = params.subscriptions.flatMap((uri) => load(uri) ?? []);
    return loading.length === 0
      ? resume(params, connection)
      : Promise.all(loading).then(() => resume(params, connection));
  };

  const resume = (params: ReconnectParams, connection: Connection) => {
    assertNotInitialized(connection);
    const { clientId, lastSeenServerSeq, subscriptions } = params;
    const known = clients.find(clientId);
    // It learns only from `initialize` what it may do.
    if (known && known.role !== connection.grant?.role) throw unknownClient('what you may do here has changed');
    const agreement = known ? rememberedAgreement(known) : guessedAgreement(connection, subscriptions);
    identify(connection, agreement, { ...known, clientId });
    dispatches.reconnected(clientId, lastSeenServerSeq);
    clock.defer(() => {
      if (!connection.peer.closed) onReconnected(connection);
    });
    const allowed = subscriptions.filter((uri) => mayFollow(connection, uri));
    const withState = attachStateless(connection, allowed);
    const missed = known && connection.view.resume(withState, lastSeenServerSeq);
    if (!missed) {
      return new EncodedJson(`{"type":"snapshot","snapshots":${subscribeAll(connection, withState)}}`);
    }
    const refused = subscriptions.filter((uri) => !allowed.includes(uri));
    const missing =
      agreement.dialect === integerDialect ? '' : `,"missing":${JSON.stringify([...missed.missing, ...refused])}`;
    return new EncodedJson(`{"type":"replay","actions":[${missed.envelopes}]${missing}}`);
  };

  const ping: Handler<'ping', Connection> = () => null;

  return { initialize, reconnect, ping } satisfies Handlers<Connection>;
}

type About = Omit<ClientProfile, 'protocolVersion' | 'role'>;

/** What the client offers. Older clients send one `protocolVersion`; the server has then added an empty list. */
function offerOf(params: { protocolVersions: readonly string[]; protocolVersion?: unknown }): object {
  const { protocolVersions, protocolVersion } = params;
  return protocolVersion !== undefined && protocolVersions.length === 0 ? { protocolVersion } : { protocolVersions };
}

/** What a client says of its program. The name is stored and only compared, so one that is too long is as good as none. */
function introductionOf(params: object): Pick<ClientProfile, 'program' | 'takesSessionUris'> {
  const { clientInfo, _meta: meta } = params as { clientInfo?: unknown; _meta?: unknown };
  const name = isObject(clientInfo) ? clientInfo.name : undefined;
  const takesSessionUris = isObject(meta) && meta['vscode.ahpSessionUris'] === true;
  return {
    ...(typeof name === 'string' && name.length <= MAX_PROGRAM_CHARS && { program: name }),
    ...(takesSessionUris && { takesSessionUris }),
  };
}

function rememberedAgreement({ protocolVersion }: ClientProfile): Agreement {
  return { protocolVersion, dialect: dialectOf(protocolVersion) ?? nativeDialect };
}

/**
 * The version of a client that the host does not know. `reconnect` does not state it, but one form of it is that of the first
 * version only: it names no channel, and no URI of a scheme that came later. Other clients must initialize, and are told so
 * with the one error after which VS Code does not try again for ever (V-6).
 */
function guessedAgreement(connection: Connection, subscriptions: readonly URI[]): Agreement {
  const isFirstVersion = !connection.namesChannels && !subscriptions.some((uri) => uri.startsWith('ahp-'));
  if (isFirstVersion) return { protocolVersion: 1, dialect: integerDialect };
  throw unknownClient('this host does not know the client');
}

function unknownClient(why: string): RpcError {
  return new RpcError(AhpErrorCodes.NotFound, `${why}; send "initialize" instead`);
}

function assertNotInitialized(connection: Connection): void {
  if (connection.profile) throw invalidRequest('this connection has been initialized already');
}

function assertSubscriptionCount(uris: readonly URI[]): void {
  if (uris.length > MAX_SUBSCRIPTIONS) throw invalidParams(`a client can have ${MAX_SUBSCRIPTIONS} subscriptions`);
}
