import type { Static } from 'typebox';
import { ErrorInfoSchema } from '../../common/error-info.js';
import { ProtectedResourceMetadataSchema } from '../../common/protected-resource.js';
import { type EnumValue, enumSchema, named, optional, presenceFlag } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { CustomizationBaseSchema, CustomizationType } from './customization-base.js';
import { CustomizationEnablementSchema } from './customization-enablement.js';

/** How far an MCP server is started. */
export const McpServerStatus = {
  Starting: 'starting',
  Ready: 'ready',
  AuthRequired: 'authRequired',
  Error: 'error',
  Stopped: 'stopped',
} as const;
export type McpServerStatus = EnumValue<typeof McpServerStatus>;
export const McpServerStatusSchema = enumSchema('McpServerStatus', McpServerStatus);

/** Why an MCP server wants a token. */
export const McpAuthRequiredReason = {
  Required: 'required',
  Expired: 'expired',
  InsufficientScope: 'insufficientScope',
} as const;
export type McpAuthRequiredReason = EnumValue<typeof McpAuthRequiredReason>;
export const McpAuthRequiredReasonSchema = enumSchema('McpAuthRequiredReason', McpAuthRequiredReason);

export const McpOAuthClientSchema = named(
  'McpOAuthClient',
  Type.Object({
    clientId: Type.String(),
    clientSecret: optional(Type.String()),
  }),
);
/** The OAuth client to sign in as, when the server has no dynamic registration. */
export type McpOAuthClient = Static<typeof McpOAuthClientSchema>;

export const McpAuthRequirementSchema = named(
  'McpAuthRequirement',
  Type.Object({
    reason: McpAuthRequiredReasonSchema,
    oauthClient: optional(McpOAuthClientSchema),
    resource: ProtectedResourceMetadataSchema,
    requiredScopes: optional(Type.Array(Type.String())),
    description: optional(Type.String()),
  }),
);
/** The token that an MCP server wants, and why. */
export type McpAuthRequirement = Static<typeof McpAuthRequirementSchema>;

export const McpServerStartingStateSchema = named(
  'McpServerStartingState',
  Type.Object({
    kind: Type.Literal(McpServerStatus.Starting),
    /** Whether messages may have to wait until it has started. */
    blocking: optional(Type.Boolean()),
  }),
);
export type McpServerStartingState = Static<typeof McpServerStartingStateSchema>;

export const McpServerReadyStateSchema = named(
  'McpServerReadyState',
  Type.Object({
    kind: Type.Literal(McpServerStatus.Ready),
  }),
);
export type McpServerReadyState = Static<typeof McpServerReadyStateSchema>;

export const McpServerAuthRequiredStateSchema = named(
  'McpServerAuthRequiredState',
  Type.Object({
    ...McpAuthRequirementSchema.properties,
    kind: Type.Literal(McpServerStatus.AuthRequired),
  }),
);
export type McpServerAuthRequiredState = Static<typeof McpServerAuthRequiredStateSchema>;

export const McpServerErrorStateSchema = named(
  'McpServerErrorState',
  Type.Object({
    kind: Type.Literal(McpServerStatus.Error),
    error: ErrorInfoSchema,
  }),
);
export type McpServerErrorState = Static<typeof McpServerErrorStateSchema>;

export const McpServerStoppedStateSchema = named(
  'McpServerStoppedState',
  Type.Object({
    kind: Type.Literal(McpServerStatus.Stopped),
  }),
);
export type McpServerStoppedState = Static<typeof McpServerStoppedStateSchema>;

export const McpServerStateSchema = named(
  'McpServerState',
  Type.Union([
    McpServerStartingStateSchema,
    McpServerReadyStateSchema,
    McpServerAuthRequiredStateSchema,
    McpServerErrorStateSchema,
    McpServerStoppedStateSchema,
  ]),
);
export type McpServerState = Static<typeof McpServerStateSchema>;

export const AhpMcpUiHostCapabilitiesSchema = named(
  'AhpMcpUiHostCapabilities',
  Type.Object({
    serverTools: optional(Type.Object({ listChanged: optional(Type.Boolean()) })),
    serverResources: optional(Type.Object({ listChanged: optional(Type.Boolean()) })),
    logging: optional(presenceFlag()),
    sampling: optional(Type.Object({ tools: optional(presenceFlag()) })),
  }),
);
export type AhpMcpUiHostCapabilities = Static<typeof AhpMcpUiHostCapabilitiesSchema>;

export const McpServerCustomizationAppsSchema = named(
  'McpServerCustomizationApps',
  Type.Object({
    capabilities: AhpMcpUiHostCapabilitiesSchema,
  }),
);
export type McpServerCustomizationApps = Static<typeof McpServerCustomizationAppsSchema>;

export const McpServerCustomizationSchema = named(
  'McpServerCustomization',
  Type.Object({
    ...CustomizationBaseSchema.properties,
    type: Type.Literal(CustomizationType.McpServer),
    enablement: optional(Type.Array(CustomizationEnablementSchema)),
    state: McpServerStateSchema,
    channel: optional(URISchema),
    mcpApp: optional(McpServerCustomizationAppsSchema),
  }),
);
export type McpServerCustomization = Static<typeof McpServerCustomizationSchema>;
