import { anyObject, freeForm, object, optional } from './schema.js';
import { type AnyObject, Type } from './type.js';

export interface ToolAnnotations {
  title?: string | undefined;
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  idempotentHint?: boolean | undefined;
  openWorldHint?: boolean | undefined;
}

export const ToolAnnotationsSchema = object<ToolAnnotations>('ToolAnnotations', {
  title: optional(Type.String()),
  readOnlyHint: optional(Type.Boolean()),
  destructiveHint: optional(Type.Boolean()),
  idempotentHint: optional(Type.Boolean()),
  openWorldHint: optional(Type.Boolean()),
});

/** A tool, described as MCP does it. */
export interface ToolDefinition {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema?:
    | { type: 'object'; properties?: Record<string, AnyObject> | undefined; required?: string[] | undefined }
    | undefined;
  outputSchema?:
    | { type: 'object'; properties?: Record<string, AnyObject> | undefined; required?: string[] | undefined }
    | undefined;
  annotations?: ToolAnnotations | undefined;
  _meta?: Record<string, unknown> | undefined;
}

export const ToolDefinitionSchema = object<ToolDefinition>('ToolDefinition', {
  name: Type.String(),
  title: optional(Type.String()),
  description: optional(Type.String()),
  inputSchema: optional(
    Type.Object({
      type: Type.Literal('object'),
      properties: optional(Type.Record(anyObject())),
      required: optional(Type.Array(Type.String())),
    }),
  ),
  outputSchema: optional(
    Type.Object({
      type: Type.Literal('object'),
      properties: optional(Type.Record(anyObject())),
      required: optional(Type.Array(Type.String())),
    }),
  ),
  annotations: optional(ToolAnnotationsSchema),
  _meta: optional(freeForm()),
});
