import type { ToolDefinition } from '@moorage/protocol';
import type { ModelToolSpec } from '../endpoint/protocol.js';
import type { ModelTool } from '../tools/tool.js';
import type { McpTools } from './mcp-tools.js';

/** Tools of the active client that the model is told about: each takes room in every request. */
const MAX_CLIENT_TOOLS = 128;

/** All that the model is told about; ours win over others of the same name. */
export function toolSet(
  own: Iterable<ModelTool>,
  clientTools: readonly ToolDefinition[],
  mcp: McpTools,
): ModelToolSpec[] {
  const ofClient = clientTools
    .slice(0, MAX_CLIENT_TOOLS)
    .filter(({ name }) => /^[A-Za-z0-9_-]{1,64}$/.test(name)) // endpoints refuse a whole request for one wrong name
    .map(({ name, title, description = title ?? name, inputSchema = EMPTY }): ModelToolSpec => {
      return { name, description, parameters: inputSchema };
    });
  const ours = [...own].map(({ name, description, parameters }): ModelToolSpec => ({ name, description, parameters }));
  const ofServers = [...mcp].map(([name, { title, description = title ?? name, inputSchema }]): ModelToolSpec => {
    return { name, description, parameters: inputSchema };
  });
  return [...new Map([...ofServers, ...ofClient, ...ours].map((spec) => [spec.name, spec])).values()];
}

const EMPTY = { type: 'object' as const, properties: {} };
