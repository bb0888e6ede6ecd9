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
  /** The id of the agent; sessions name it. */
  provider: string;
  /** The agent's name as users read it; `provider` is for programs. */
  displayName: string;
  /** What it is, or why it cannot be used. */
  description: string;
  /** The models to choose from. */
  models: SessionModelInfo[];
  /** What clients must have tokens for. */
  protectedResources?: ProtectedResourceMetadata[] | undefined;
  /** What every session with this agent has. */
  customizations?: Customization[] | undefined;
  /** What its sessions can do. */
  capabilities?: AgentCapabilities | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
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
  /** Which settings there are. */
  schema: ConfigSchema;
  /** Their values; those that are not here have their defaults. */
  values: Record<string, unknown>;
}

export const RootConfigStateSchema = object<RootConfigState>('RootConfigState', {
  schema: ConfigSchemaSchema,
  values: freeForm(),
});

/** The state of a host's root channel: its agents, terminals and settings. */
export interface RootState {
  /** The agents of the host. */
  agents: AgentInfo[];
  /** How many sessions there are. */
  activeSessions?: number | undefined;
  /** The terminals of the host. */
  terminals?: TerminalInfo[] | undefined;
  /** The settings of the host. */
  config?: RootConfigState | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const RootStateSchema = object<RootState>('RootState', {
  agents: Type.Array(AgentInfoSchema),
  activeSessions: optional(Type.Integer()),
  terminals: optional(Type.Array(TerminalInfoSchema)),
  config: optional(RootConfigStateSchema),
  _meta: optional(freeForm()),
});
