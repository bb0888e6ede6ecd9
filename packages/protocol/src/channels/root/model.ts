import { type ConfigSchema, ConfigSchemaSchema } from '../../common/config-schema.js';
import { type EnumValue, enumSchema, freeForm, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Whether a model may be used. */
export const PolicyState = {
  Enabled: 'enabled',
  Disabled: 'disabled',
  Unconfigured: 'unconfigured',
} as const;
export type PolicyState = EnumValue<typeof PolicyState>;
export const PolicyStateSchema = enumSchema('PolicyState', PolicyState);

/** A model that an agent offers. */
export interface SessionModelInfo {
  id: string;
  provider: string;
  name: string;
  maxContextWindow?: number | undefined;
  maxOutputTokens?: number | undefined;
  maxPromptTokens?: number | undefined;
  supportsVision?: boolean | undefined;
  policyState?: PolicyState | undefined;
  configSchema?: ConfigSchema | undefined;
  vendor?: string | undefined;
  _meta?: Record<string, unknown> | undefined;
}

export const SessionModelInfoSchema = object<SessionModelInfo>('SessionModelInfo', {
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
});
