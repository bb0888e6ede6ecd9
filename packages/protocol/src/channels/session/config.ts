import {
  type ConfigPropertySchema,
  ConfigPropertySchemaSchema,
  configPropertyMembers,
} from '../../common/config-schema.js';
import { freeForm, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

export interface SessionConfigPropertySchema extends ConfigPropertySchema {
  /** Whether there are more values than `enum` has; `sessionConfigCompletions` finds them. */
  enumDynamic?: boolean | undefined;
  /** Whether it can be changed once the session exists. */
  sessionMutable?: boolean | undefined;
}

export const SessionConfigPropertySchemaSchema = object<SessionConfigPropertySchema>('SessionConfigPropertySchema', {
  ...configPropertyMembers,
  items: optional(ConfigPropertySchemaSchema),
  properties: optional(Type.Record(ConfigPropertySchemaSchema)),
  additionalProperties: optional(ConfigPropertySchemaSchema),
  enumDynamic: optional(Type.Boolean()),
  sessionMutable: optional(Type.Boolean()),
});

/** Settings of a session that there are, described as JSON Schema. */
export interface SessionConfigSchema {
  type: 'object';
  /** The schema of each setting, by its key. */
  properties: Record<string, SessionConfigPropertySchema>;
  /** Those that must have a value. */
  required?: string[] | undefined;
}

export const SessionConfigSchemaSchema = object<SessionConfigSchema>('SessionConfigSchema', {
  type: Type.Literal('object'),
  properties: Type.Record(SessionConfigPropertySchemaSchema),
  required: optional(Type.Array(Type.String())),
});

export interface SessionConfigState {
  /** Which settings the session has. */
  schema: SessionConfigSchema;
  /** Their values; those that are not here have their defaults. */
  values: Record<string, unknown>;
}

export const SessionConfigStateSchema = object<SessionConfigState>('SessionConfigState', {
  schema: SessionConfigSchemaSchema,
  values: freeForm(),
});
