import { kindOfUri, type URI } from '@moorage/protocol';
import { integerDialect } from '@moorage/protocol/versions';
import type { Subscriptions } from '../core/delivery.js';
import type { Connection } from './connection.js';
import { showsApps } from './dialects/views.js';

/** Channels that only carry notifications. They have no state, so there is no snapshot (B-46). */
export interface StatelessChannels {
  /** Subscribes if the URI is such a channel, and returns whether. Throws for a telemetry URI that is not offered. */
  attach(uri: URI, connection: Connection): boolean;
}

export interface StatelessOptions {
  readonly subscriptions: Subscriptions;
  /** The side channels of MCP servers. */
  readonly sideChannels: { has(uri: URI): boolean };
  /** Throws an RpcError for a telemetry URI that is not offered. Undefined in a host without telemetry. */
  readonly assertTelemetry: ((uri: URI) => void) | undefined;
}

export function statelessChannels({
  subscriptions,
  sideChannels,
  assertTelemetry,
}: StatelessOptions): StatelessChannels {
  const isSideChannel = (uri: URI, connection: Connection) => sideChannels.has(uri) && showsApps(connection);
  const isTelemetry = (uri: URI, { dialect }: Connection) => {
    if (kindOfUri(uri) !== 'telemetry' || !assertTelemetry || dialect === integerDialect) return false;
    assertTelemetry(uri);
    return true;
  };
  return {
    attach(uri, connection) {
      if (!isSideChannel(uri, connection) && !isTelemetry(uri, connection)) return false;
      subscriptions.add(connection, uri);
      return true;
    },
  };
}
