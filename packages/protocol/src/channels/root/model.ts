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
  /** What messages name it by. */
  id: string;
  /** The agent that has it. */
  provider: string;
  /** The model's name as users read it; `id` is for programs. */
  name: string;
  /** Tokens that fit in a conversation. */
  maxContextWindow?: number | undefined;
  /** Tokens that one answer can have. */
  maxOutputTokens?: number | undefined;
  /** Tokens that one request can have. */
  maxPromptTokens?: number | undefined;
  /** Whether it understands pictures. */
  supportsVision?: boolean | undefined;
  /** Whether the user's organization allows it. */
  policyState?: PolicyState | undefined;
  /** Settings of the model, such as how much it thinks. */
  configSchema?: ConfigSchema | undefined;
  /** Who makes it. */
  vendor?: string | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
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
