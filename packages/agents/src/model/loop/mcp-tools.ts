import type { AgentMcpTool } from '@moorage/host/ports';

/** Tools of MCP servers that the model is told about: each takes room in every request. */
const MAX_MCP_TOOLS = 128;

/** UTF-16 units of a name: as many as the common endpoints take. */
const MAX_NAME_CHARS = 64;

export type McpTools = ReadonlyMap<string, AgentMcpTool>;

/** Tools of MCP servers by the names that the model gets: valid for every endpoint, and unique among all tools. */
export function mcpToolNames(tools: readonly AgentMcpTool[], taken: Iterable<string>): McpTools {
  const names = new Map<string, AgentMcpTool>();
  const others = new Set(taken);
  for (const tool of tools.slice(0, MAX_MCP_TOOLS)) {
    const plain = `mcp__${tool.server}__${tool.name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_');
    let name = plain.slice(0, MAX_NAME_CHARS);
    for (let number = 2; names.has(name) || others.has(name); number++) {
      const suffix = `_${number}`;
      name = plain.slice(0, MAX_NAME_CHARS - suffix.length) + suffix;
    }
    names.set(name, tool);
  }
  return names;
}
