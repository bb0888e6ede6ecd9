import type { ToolCallContributor } from '@moorage/protocol';

/** The MCP servers that an agent was given, and those of their tools that the host knows. */
export interface KnownServers {
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  readonly tools: readonly { readonly server: string; readonly name: string }[];
}

/**
 * The MCP server whose tool a call uses, by the name that the agent gives it: `mcp__server__tool`, `mcp.server.tool`,
 * `mcp_server_tool`, or, if the server has that tool, `server_tool`, `server-tool` or `tool (server MCP Server)`.
 */
export function contributorOf(
  names: readonly (string | undefined)[],
  { servers, tools }: KnownServers,
): ToolCallContributor | undefined {
  for (const name of names) {
    if (name === undefined) continue;
    const server = servers.find(
      (candidate) =>
        (!/\s/.test(name) &&
          PREFIXES.some(([before, after]) => name.startsWith(`${before}${safe(candidate.name)}${after}`))) ||
        tools.some((tool) => tool.server === candidate.name && titlesOf(candidate.name, tool.name).includes(name)),
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

/** What opencode, Copilot and Gemini CLI call a tool. */
function titlesOf(server: string, tool: string): string[] {
  const [safeServer, safeTool] = [safe(server), safe(tool)];
  return [`${safeServer}_${safeTool}`, `${safeServer}-${safeTool}`, `${tool} (${server} MCP Server)`];
}

/** Agents change names so that model endpoints accept them. */
function safe(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
