import type { Subscriptions } from '../core/subscriptions.js';
import type { StatelessChannels } from './subscribe.js';

/** The side channels of MCP servers are there only for clients that said that they show MCP apps. */
export function sideChannelSubscriptions(
  sideChannels: { has(uri: string): boolean },
  subscriptions: Subscriptions,
): StatelessChannels {
  return {
    attach(uri, connection) {
      if (!sideChannels.has(uri) || !connection.profile?.capabilities?.mcpApps) return false;
      subscriptions.add(connection, uri);
      return true;
    },
  };
}
