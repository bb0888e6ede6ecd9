import type { Mcp } from '../../ports/mcp.js';

/** MCP with the official SDK. It is loaded with the first server, because most runs of a host never need it. */
export function sdkMcp(environment: Readonly<Record<string, string | undefined>> = process.env): Mcp {
  return {
    connect: async (options) => {
      const { connect } = await import('./connect.js');
      return connect(options, environment);
    },
  };
}
