import type { Static } from 'typebox';
import { ConfigSchemaSchema } from '../../common/config-schema.js';
import { ProtectedResourceMetadataSchema } from '../../common/protected-resource.js';
import { freeForm, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { CustomizationSchema } from '../session/customization.js';
import { TerminalInfoSchema } from '../terminal/state.js';
import { AgentCapabilitiesSchema } from './capabilities.js';
import { SessionModelInfoSchema } from './model.js';

export const AgentInfoSchema = named(
  'AgentInfo',
  Type.Object({
    provider: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    models: Type.Array(SessionModelInfoSchema),
    protectedResources: optional(Type.Array(ProtectedResourceMetadataSchema)),
    customizations: optional(Type.Array(CustomizationSchema)),
    capabilities: optional(AgentCapabilitiesSchema),
    _meta: optional(freeForm()),
  }),
);
/** An agent that sessions can be created with. */
export type AgentInfo = Static<typeof AgentInfoSchema>;

export const RootConfigStateSchema = named(
  'RootConfigState',
  Type.Object({
    schema: ConfigSchemaSchema,
    values: freeForm(),
  }),
);
export type RootConfigState = Static<typeof RootConfigStateSchema>;

export const RootStateSchema = named(
  'RootState',
  Type.Object({
    agents: Type.Array(AgentInfoSchema),
    activeSessions: optional(Type.Integer()),
    terminals: optional(Type.Array(TerminalInfoSchema)),
    config: optional(RootConfigStateSchema),
    _meta: optional(freeForm()),
  }),
);
/** The state of a host's root channel: its agents, terminals and settings. */
export type RootState = Static<typeof RootStateSchema>;
