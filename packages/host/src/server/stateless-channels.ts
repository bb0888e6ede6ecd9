import { kindOfUri, type URI } from '@ahpd/protocol';
import { integerDialect } from '@ahpd/protocol/versions';
import type { Subscriptions } from '../core/subscriptions.js';
import type { Connection } from './connection.js';
import { showsApps } from './dialects/views.js';

/** Channels that only carry notifications: without a state there is no snapshot (B-46). */
export interface StatelessChannels {
  /** Subscribes if it is one of these, and says whether. Throws when it looks like one and is none. */
  attach(uri: URI, connection: Connection): boolean;
}

export interface StatelessOptions {
  readonly subscriptions: Subscriptions;
  /** The side channels of MCP servers. */
  readonly sideChannels: { has(uri: URI): boolean };
  /** Throws for a URI that is not one of the offered ones. Undefined in a host that tells nothing of itself. */
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
