import type { ToolCallContributor } from '@moorage/protocol';

/** The MCP servers that an agent was given, and those of their tools that the host knows. */
export interface KnownServers {
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  readonly tools: readonly { readonly server: string; readonly name: string }[];
}

/**
 * The MCP server whose tool a call uses, by the name that the agent gives it: `mcp__server__tool`, `mcp.server.tool`,
 * `mcp_server_tool`, or `server_tool` if the server has that tool.
 */
export function contributorOf(
  names: readonly (string | undefined)[],
  { servers, tools }: KnownServers,
): ToolCallContributor | undefined {
  for (const name of names) {
    if (name === undefined || /\s/.test(name)) continue;
    const server = servers.find(
      (candidate) =>
        PREFIXES.some(([before, after]) => name.startsWith(`${before}${safe(candidate.name)}${after}`)) ||
        tools.some((tool) => tool.server === candidate.name && name === `${safe(candidate.name)}_${safe(tool.name)}`),
    );
    if (server) return { kind: 'mcp', customizationId: server.id };
  }
  return undefined;
}

const PREFIXES = [
  ['mcp__', '__'],
  ['mcp.', '.'],
  ['mcp_', '_'],
] as const;

/** Agents change names so that model endpoints accept them. */
function safe(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
