import type { Static } from 'typebox';
import { ConfigSchemaSchema } from '../../common/config-schema.js';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Whether a model may be used. */
export const PolicyState = {
  Enabled: 'enabled',
  Disabled: 'disabled',
  Unconfigured: 'unconfigured',
} as const;
export type PolicyState = EnumValue<typeof PolicyState>;
export const PolicyStateSchema = enumSchema('PolicyState', PolicyState);

export const SessionModelInfoSchema = named(
  'SessionModelInfo',
  Type.Object({
    id: Type.String(),
    provider: Type.String(),
    name: Type.String(),
    maxContextWindow: optional(Type.Integer()),
    maxOutputTokens: optional(Type.Integer()),
    maxPromptTokens: optional(Type.Integer()),
    supportsVision: optional(Type.Boolean()),
    policyState: optional(PolicyStateSchema),
    configSchema: optional(ConfigSchemaSchema),
    // Of 1.1.
    vendor: optional(Type.String()),
    _meta: optional(freeForm()),
  }),
);
/** A model that an agent offers. */
export type SessionModelInfo = Static<typeof SessionModelInfoSchema>;
