import type { ToolDefinition } from '@moorage/protocol';
import { type JSONSchema7, jsonSchema, type ToolSet, tool } from 'ai';
import type { ModelTool } from '../tools/tool.js';
import type { McpTools } from './mcp-tools.js';

/** Tools of the active client that the model is told about: each takes room in every request. */
const MAX_CLIENT_TOOLS = 128;

/** The tools in the SDK's format; ours win over others of the same name. The SDK does not run them, we do. */
export function toolSet(own: Iterable<ModelTool>, clientTools: readonly ToolDefinition[], mcp: McpTools): ToolSet {
  const ofClient = clientTools
    .slice(0, MAX_CLIENT_TOOLS)
    .filter(({ name }) => /^[A-Za-z0-9_-]{1,64}$/.test(name)) // endpoints refuse a whole request for one wrong name
    .map(({ name, title, description = title ?? name, inputSchema = EMPTY }): Entry => {
      return [name, tool({ description, inputSchema: schemaOf(inputSchema) })];
    });
  const ours = [...own].map(({ name, description, parameters }): Entry => {
    return [name, tool({ description, inputSchema: schemaOf(parameters) })];
  });
  const ofServers = [...mcp].map(([name, { title, description = title ?? name, inputSchema }]): Entry => {
    return [name, tool({ description, inputSchema: schemaOf(inputSchema) })];
  });
  return Object.fromEntries([...ofServers, ...ofClient, ...ours]);
}

type Entry = readonly [name: string, tool: ToolSet[string]];

const EMPTY = { type: 'object' as const, properties: {} };

/** The SDK does not validate inputs: our own check tells the model more clearly what is wrong. */
function schemaOf(schema: object) {
  return jsonSchema<unknown>(JSON.parse(JSON.stringify(schema)) as JSONSchema7);
}
