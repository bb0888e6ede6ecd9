import { type ConfigSchema, ConfigSchemaSchema } from '../../common/config-schema.js';
import { type ProtectedResourceMetadata, ProtectedResourceMetadataSchema } from '../../common/protected-resource.js';
import { freeForm, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type Customization, CustomizationSchema } from '../session/customization.js';
import { type TerminalInfo, TerminalInfoSchema } from '../terminal/state.js';
import { type AgentCapabilities, AgentCapabilitiesSchema } from './capabilities.js';
import { type SessionModelInfo, SessionModelInfoSchema } from './model.js';

/** An agent that sessions can be created with. */
export interface AgentInfo {
  provider: string;
  displayName: string;
  description: string;
  models: SessionModelInfo[];
  protectedResources?: ProtectedResourceMetadata[] | undefined;
  customizations?: Customization[] | undefined;
  capabilities?: AgentCapabilities | undefined;
  _meta?: Record<string, unknown> | undefined;
}

export const AgentInfoSchema = object<AgentInfo>('AgentInfo', {
  provider: Type.String(),
  displayName: Type.String(),
  description: Type.String(),
  models: Type.Array(SessionModelInfoSchema),
  protectedResources: optional(Type.Array(ProtectedResourceMetadataSchema)),
  customizations: optional(Type.Array(CustomizationSchema)),
  capabilities: optional(AgentCapabilitiesSchema),
  _meta: optional(freeForm()),
});

export interface RootConfigState {
  schema: ConfigSchema;
  values: Record<string, unknown>;
}

export const RootConfigStateSchema = object<RootConfigState>('RootConfigState', {
  schema: ConfigSchemaSchema,
  values: freeForm(),
});

/** The state of a host's root channel: its agents, terminals and settings. */
export interface RootState {
  agents: AgentInfo[];
  activeSessions?: number | undefined;
  terminals?: TerminalInfo[] | undefined;
  config?: RootConfigState | undefined;
  _meta?: Record<string, unknown> | undefined;
}

export const RootStateSchema = object<RootState>('RootState', {
  agents: Type.Array(AgentInfoSchema),
  activeSessions: optional(Type.Integer()),
  terminals: optional(Type.Array(TerminalInfoSchema)),
  config: optional(RootConfigStateSchema),
  _meta: optional(freeForm()),
});
