import type { ToolDefinition } from '@ahpd/protocol';
import { type JSONSchema7, jsonSchema, type ToolSet, tool } from 'ai';
import type { ModelTool } from '../tools/tool.js';

/** Tools of the active client that the model is told of: each takes room in every request. */
const MAX_CLIENT_TOOLS = 128;

/** The tools as the model is told of them. They are run by us, so that everybody sees it. */
export function toolSet(own: Iterable<ModelTool>, clientTools: readonly ToolDefinition[]): ToolSet {
  const set: ToolSet = {};
  for (const { name, title, description, inputSchema } of clientTools.slice(0, MAX_CLIENT_TOOLS)) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) continue; // endpoints refuse a whole request for one wrong name
    set[name] = tool({ description: description ?? title ?? name, inputSchema: schemaOf(inputSchema ?? EMPTY) });
  }
  for (const { name, description, parameters } of own) {
    set[name] = tool({ description, inputSchema: schemaOf(parameters) });
  }
  return set;
}

const EMPTY = { type: 'object', properties: {} };

/** Without a check: ours tells the model more clearly what is wrong. */
function schemaOf(schema: object) {
  return jsonSchema<unknown>(JSON.parse(JSON.stringify(schema)) as JSONSchema7);
}
