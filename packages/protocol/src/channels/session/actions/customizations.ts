import type { Static } from 'typebox';
import { named, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { URISchema } from '../../../common/uri.js';
import { CustomizationSchema } from '../customization.js';
import { CustomizationEnablementSchema } from '../customization-enablement.js';
import { McpServerStateSchema } from '../mcp-server.js';

export const SessionCustomizationsChangedActionSchema = named(
  'SessionCustomizationsChangedAction',
  Type.Object({
    type: Type.Literal('session/customizationsChanged'),
    customizations: Type.Array(CustomizationSchema),
  }),
);
export type SessionCustomizationsChangedAction = Static<typeof SessionCustomizationsChangedActionSchema>;

export const SessionCustomizationToggledActionSchema = named(
  'SessionCustomizationToggledAction',
  Type.Object({
    type: Type.Literal('session/customizationToggled'),
    id: Type.String(),
    enablement: Type.Array(CustomizationEnablementSchema),
  }),
);
export type SessionCustomizationToggledAction = Static<typeof SessionCustomizationToggledActionSchema>;

export const SessionCustomizationUpdatedActionSchema = named(
  'SessionCustomizationUpdatedAction',
  Type.Object({
    type: Type.Literal('session/customizationUpdated'),
    customization: CustomizationSchema,
  }),
);
export type SessionCustomizationUpdatedAction = Static<typeof SessionCustomizationUpdatedActionSchema>;

export const SessionCustomizationRemovedActionSchema = named(
  'SessionCustomizationRemovedAction',
  Type.Object({
    type: Type.Literal('session/customizationRemoved'),
    id: Type.String(),
  }),
);
export type SessionCustomizationRemovedAction = Static<typeof SessionCustomizationRemovedActionSchema>;

export const SessionMcpServerStateChangedActionSchema = named(
  'SessionMcpServerStateChangedAction',
  Type.Object({
    type: Type.Literal('session/mcpServerStateChanged'),
    id: Type.String(),
    state: McpServerStateSchema,
    channel: optional(URISchema),
  }),
);
export type SessionMcpServerStateChangedAction = Static<typeof SessionMcpServerStateChangedActionSchema>;

export const SessionMcpServerStartRequestedActionSchema = named(
  'SessionMcpServerStartRequestedAction',
  Type.Object({
    type: Type.Literal('session/mcpServerStartRequested'),
    id: Type.String(),
  }),
);
export type SessionMcpServerStartRequestedAction = Static<typeof SessionMcpServerStartRequestedActionSchema>;

export const SessionMcpServerStopRequestedActionSchema = named(
  'SessionMcpServerStopRequestedAction',
  Type.Object({
    type: Type.Literal('session/mcpServerStopRequested'),
    id: Type.String(),
  }),
);
export type SessionMcpServerStopRequestedAction = Static<typeof SessionMcpServerStopRequestedActionSchema>;

export const SessionMcpServerBackgroundRequestedActionSchema = named(
  'SessionMcpServerBackgroundRequestedAction',
  Type.Object({
    type: Type.Literal('session/mcpServerBackgroundRequested'),
    id: Type.String(),
  }),
);
export type SessionMcpServerBackgroundRequestedAction = Static<typeof SessionMcpServerBackgroundRequestedActionSchema>;
