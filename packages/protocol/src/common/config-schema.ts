import { type JsonPrimitive, JsonPrimitiveSchema } from './json-primitive.js';
import { named, object, optional } from './schema.js';
import { Type } from './type.js';

export interface ConfigPropertySchema {
  /** What kind of value it has. */
  type: 'string' | 'number' | 'boolean' | 'array' | 'object';
  /** The name for people. */
  title: string;
  /** What it does. */
  description?: string | undefined;
  /** Its value if nobody gives one. */
  default?: unknown;
  /** The values to choose from. */
  enum?: JsonPrimitive[] | undefined;
  /** Their names for people, in the same order. */
  enumLabels?: string[] | undefined;
  /** What they mean, in the same order. */
  enumDescriptions?: string[] | undefined;
  /** Whether it is only shown. */
  readOnly?: boolean | undefined;
  /** Of a list: what each item is. */
  items?: ConfigPropertySchema | undefined;
  /** Of a list: the fewest items. */
  minItems?: number | undefined;
  /** Of a list: the most items. */
  maxItems?: number | undefined;
  /** Of an object: its members. */
  properties?: Record<string, ConfigPropertySchema> | undefined;
  /** Of an object: the members that must be there. */
  required?: string[] | undefined;
  /** Of an object: what other members are. */
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
  /** The schema of each setting, by its key. */
  properties: Record<string, ConfigPropertySchema>;
  /** Those that must have a value. */
  required?: string[] | undefined;
}

export const ConfigSchemaSchema = object<ConfigSchema>('ConfigSchema', {
  type: Type.Literal('object'),
  properties: Type.Record(ConfigPropertySchemaSchema),
  required: optional(Type.Array(Type.String())),
});
