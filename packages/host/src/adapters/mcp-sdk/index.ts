import type { Mcp } from '../../ports/mcp.js';

/** MCP with the official SDK, which is loaded when the first server is: most starts of a host do not need it. */
export function sdkMcp(environment: Readonly<Record<string, string | undefined>> = process.env): Mcp {
  return {
    connect: async (options) => {
      const { connect } = await import('./connect.js');
      return connect(options, environment);
    },
  };
}
