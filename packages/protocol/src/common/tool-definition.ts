import { anyObject, freeForm, object, optional } from './schema.js';
import { type AnyObject, Type } from './type.js';

export interface ToolAnnotations {
  /** Shown instead of `name`, which is for the model. */
  title?: string | undefined;
  /** Whether the tool says that it changes nothing. */
  readOnlyHint?: boolean | undefined;
  /** Whether it says that it may destroy something. */
  destructiveHint?: boolean | undefined;
  /** Whether it says that calling it twice does no more than once. */
  idempotentHint?: boolean | undefined;
  /** Whether it says that it reaches beyond this machine. */
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
  /** What the model calls it. */
  name: string;
  /** Shown instead of `name`, which is for the model. */
  title?: string | undefined;
  /** What it does, for the model. */
  description?: string | undefined;
  /** What it takes, as JSON Schema. */
  inputSchema?:
    | { type: 'object'; properties?: Record<string, AnyObject> | undefined; required?: string[] | undefined }
    | undefined;
  /** What it gives, as JSON Schema. */
  outputSchema?:
    | { type: 'object'; properties?: Record<string, AnyObject> | undefined; required?: string[] | undefined }
    | undefined;
  /** What it says of itself. */
  annotations?: ToolAnnotations | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
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
