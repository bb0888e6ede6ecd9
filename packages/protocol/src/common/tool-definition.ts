import type { Static } from 'typebox';
import { anyObject, freeForm, named, optional } from './schema.js';
import { Type } from './type.js';

export const ToolAnnotationsSchema = named(
  'ToolAnnotations',
  Type.Object({
    title: optional(Type.String()),
    readOnlyHint: optional(Type.Boolean()),
    destructiveHint: optional(Type.Boolean()),
    idempotentHint: optional(Type.Boolean()),
    openWorldHint: optional(Type.Boolean()),
  }),
);
export type ToolAnnotations = Static<typeof ToolAnnotationsSchema>;

export const ToolDefinitionSchema = named(
  'ToolDefinition',
  Type.Object({
    name: Type.String(),
    title: optional(Type.String()),
    description: optional(Type.String()),
    inputSchema: optional(
      Type.Object({
        type: Type.Literal('object'),
        properties: optional(Type.Record(Type.String(), anyObject())),
        required: optional(Type.Array(Type.String())),
      }),
    ),
    outputSchema: optional(
      Type.Object({
        type: Type.Literal('object'),
        properties: optional(Type.Record(Type.String(), anyObject())),
        required: optional(Type.Array(Type.String())),
      }),
    ),
    annotations: optional(ToolAnnotationsSchema),
    _meta: optional(freeForm()),
  }),
);
/** A tool, described as MCP does it. */
export type ToolDefinition = Static<typeof ToolDefinitionSchema>;
