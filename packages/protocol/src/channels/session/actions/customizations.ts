import { object, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type URI, URISchema } from '../../../common/uri.js';
import { type Customization, CustomizationSchema } from '../customization.js';
import { type CustomizationEnablement, CustomizationEnablementSchema } from '../customization-enablement.js';
import { type McpServerState, McpServerStateSchema } from '../mcp-server.js';

export interface SessionCustomizationsChangedAction {
  type: 'session/customizationsChanged';
  /** All customizations, in place of those before. */
  customizations: Customization[];
}

export const SessionCustomizationsChangedActionSchema = object<SessionCustomizationsChangedAction>(
  'SessionCustomizationsChangedAction',
  {
    type: Type.Literal('session/customizationsChanged'),
    customizations: Type.Array(CustomizationSchema),
  },
);

export interface SessionCustomizationToggledAction {
  type: 'session/customizationToggled';
  /** The customization. */
  id: string;
  /** Whether it is switched on, and by whom. */
  enablement: CustomizationEnablement[];
}

export const SessionCustomizationToggledActionSchema = object<SessionCustomizationToggledAction>(
  'SessionCustomizationToggledAction',
  {
    type: Type.Literal('session/customizationToggled'),
    id: Type.String(),
    enablement: Type.Array(CustomizationEnablementSchema),
  },
);

export interface SessionCustomizationUpdatedAction {
  type: 'session/customizationUpdated';
  /** The customization to add, or to replace the one with its id. */
  customization: Customization;
}

export const SessionCustomizationUpdatedActionSchema = object<SessionCustomizationUpdatedAction>(
  'SessionCustomizationUpdatedAction',
  {
    type: Type.Literal('session/customizationUpdated'),
    customization: CustomizationSchema,
  },
);

export interface SessionCustomizationRemovedAction {
  type: 'session/customizationRemoved';
  /** The customization that is gone. */
  id: string;
}

export const SessionCustomizationRemovedActionSchema = object<SessionCustomizationRemovedAction>(
  'SessionCustomizationRemovedAction',
  {
    type: Type.Literal('session/customizationRemoved'),
    id: Type.String(),
  },
);

export interface SessionMcpServerStateChangedAction {
  type: 'session/mcpServerStateChanged';
  /** The server. */
  id: string;
  /** Whether it runs, and if not, why. */
  state: McpServerState;
  /** Where clients talk to it. */
  channel?: URI | undefined;
}

export const SessionMcpServerStateChangedActionSchema = object<SessionMcpServerStateChangedAction>(
  'SessionMcpServerStateChangedAction',
  {
    type: Type.Literal('session/mcpServerStateChanged'),
    id: Type.String(),
    state: McpServerStateSchema,
    channel: optional(URISchema),
  },
);

export interface SessionMcpServerStartRequestedAction {
  type: 'session/mcpServerStartRequested';
  /** The server to start. */
  id: string;
}

export const SessionMcpServerStartRequestedActionSchema = object<SessionMcpServerStartRequestedAction>(
  'SessionMcpServerStartRequestedAction',
  {
    type: Type.Literal('session/mcpServerStartRequested'),
    id: Type.String(),
  },
);

export interface SessionMcpServerStopRequestedAction {
  type: 'session/mcpServerStopRequested';
  /** The server to stop. */
  id: string;
}

export const SessionMcpServerStopRequestedActionSchema = object<SessionMcpServerStopRequestedAction>(
  'SessionMcpServerStopRequestedAction',
  {
    type: Type.Literal('session/mcpServerStopRequested'),
    id: Type.String(),
  },
);

export interface SessionMcpServerBackgroundRequestedAction {
  type: 'session/mcpServerBackgroundRequested';
  /** The server to start without waiting for it. */
  id: string;
}

export const SessionMcpServerBackgroundRequestedActionSchema = object<SessionMcpServerBackgroundRequestedAction>(
  'SessionMcpServerBackgroundRequestedAction',
  {
    type: Type.Literal('session/mcpServerBackgroundRequested'),
    id: Type.String(),
  },
);
