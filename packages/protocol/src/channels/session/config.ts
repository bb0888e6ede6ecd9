import type { Static } from 'typebox';
import { ConfigPropertySchemaSchema, configPropertyMembers } from '../../common/config-schema.js';
import { freeForm, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

export const SessionConfigPropertySchemaSchema = named(
  'SessionConfigPropertySchema',
  Type.Object({
    ...configPropertyMembers,
    items: optional(ConfigPropertySchemaSchema),
    properties: optional(Type.Record(Type.String(), ConfigPropertySchemaSchema)),
    additionalProperties: optional(ConfigPropertySchemaSchema),
    enumDynamic: optional(Type.Boolean()),
    sessionMutable: optional(Type.Boolean()),
  }),
);
export type SessionConfigPropertySchema = Static<typeof SessionConfigPropertySchemaSchema>;

export const SessionConfigSchemaSchema = named(
  'SessionConfigSchema',
  Type.Object({
    type: Type.Literal('object'),
    properties: Type.Record(Type.String(), SessionConfigPropertySchemaSchema),
    required: optional(Type.Array(Type.String())),
  }),
);
/** Settings of a session that there are, described as JSON Schema. */
export type SessionConfigSchema = Static<typeof SessionConfigSchemaSchema>;

export const SessionConfigStateSchema = named(
  'SessionConfigState',
  Type.Object({
    schema: SessionConfigSchemaSchema,
    values: freeForm(),
  }),
);
export type SessionConfigState = Static<typeof SessionConfigStateSchema>;
