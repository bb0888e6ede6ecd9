import { type JsonPrimitive, JsonPrimitiveSchema } from './json-primitive.js';
import { named, object, optional } from './schema.js';
import { Type } from './type.js';

export interface ConfigPropertySchema {
  type: 'string' | 'number' | 'boolean' | 'array' | 'object';
  title: string;
  description?: string | undefined;
  default?: unknown;
  enum?: JsonPrimitive[] | undefined;
  enumLabels?: string[] | undefined;
  enumDescriptions?: string[] | undefined;
  readOnly?: boolean | undefined;
  items?: ConfigPropertySchema | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  properties?: Record<string, ConfigPropertySchema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: ConfigPropertySchema | undefined;
}

const itself = Type.Ref('ConfigPropertySchema');

/** The members of a property description, for the schemas that extend it. */
export const configPropertyMembers = {
  type: Type.Enum(['string', 'number', 'boolean', 'array', 'object']),
  title: Type.String(),
  description: optional(Type.String()),
  default: optional(Type.Unknown()),
  enum: optional(Type.Array(JsonPrimitiveSchema)),
  enumLabels: optional(Type.Array(Type.String())),
  enumDescriptions: optional(Type.Array(Type.String())),
  readOnly: optional(Type.Boolean()),
  minItems: optional(Type.Integer()),
  maxItems: optional(Type.Integer()),
  required: optional(Type.Array(Type.String())),
};

/** The JSON-Schema subset in which hosts describe settings (B-328). It nests, so it refers to itself. */
export const ConfigPropertySchemaSchema = named(
  'ConfigPropertySchema',
  Type.Unsafe<ConfigPropertySchema>(
    Type.Cyclic(
      {
        ConfigPropertySchema: Type.Object({
          ...configPropertyMembers,
          items: optional(itself),
          properties: optional(Type.Record(itself)),
          additionalProperties: optional(itself),
        }),
      },
      'ConfigPropertySchema',
    ),
  ),
);

/** Settings that there are, described as JSON Schema. */
export interface ConfigSchema {
  type: 'object';
  properties: Record<string, ConfigPropertySchema>;
  required?: string[] | undefined;
}

export const ConfigSchemaSchema = object<ConfigSchema>('ConfigSchema', {
  type: Type.Literal('object'),
  properties: Type.Record(ConfigPropertySchemaSchema),
  required: optional(Type.Array(Type.String())),
});
