import { type ErrorInfo, ErrorInfoSchema } from '../../common/error-info.js';
import { type ProtectedResourceMetadata, ProtectedResourceMetadataSchema } from '../../common/protected-resource.js';
import { type EnumValue, enumSchema, named, object, optional, presenceFlag } from '../../common/schema.js';
import { type AnyObject, type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type CustomizationBase, CustomizationBaseSchema, CustomizationType } from './customization-base.js';
import { type CustomizationEnablement, CustomizationEnablementSchema } from './customization-enablement.js';

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

/** The OAuth client to sign in as, when the server has no dynamic registration. */
export interface McpOAuthClient {
  /** The id of the OAuth client. */
  clientId: string;
  /** Its secret, if it has one. */
  clientSecret?: string | undefined;
}

export const McpOAuthClientSchema = object<McpOAuthClient>('McpOAuthClient', {
  clientId: Type.String(),
  clientSecret: optional(Type.String()),
});

/** The token that an MCP server wants, and why. */
export interface McpAuthRequirement {
  /** Whether there is no token, or one that does not do. */
  reason: McpAuthRequiredReason;
  /** The OAuth client to use, if the server names one. */
  oauthClient?: McpOAuthClient | undefined;
  /** What the token is for, and where to get it. */
  resource: ProtectedResourceMetadata;
  /** What the token must allow. */
  requiredScopes?: string[] | undefined;
  /** What the server says about it. */
  description?: string | undefined;
}

export const McpAuthRequirementSchema = object<McpAuthRequirement>('McpAuthRequirement', {
  reason: McpAuthRequiredReasonSchema,
  oauthClient: optional(McpOAuthClientSchema),
  resource: ProtectedResourceMetadataSchema,
  requiredScopes: optional(Type.Array(Type.String())),
  description: optional(Type.String()),
});

export interface McpServerStartingState {
  kind: 'starting';
  /** Whether messages may have to wait until it has started. */
  blocking?: boolean | undefined;
}

export const McpServerStartingStateSchema = object<McpServerStartingState>('McpServerStartingState', {
  kind: Type.Literal(McpServerStatus.Starting),
  blocking: optional(Type.Boolean()),
});

export interface McpServerReadyState {
  kind: 'ready';
}

export const McpServerReadyStateSchema = object<McpServerReadyState>('McpServerReadyState', {
  kind: Type.Literal(McpServerStatus.Ready),
});

export interface McpServerAuthRequiredState extends McpAuthRequirement {
  kind: 'authRequired';
}

export const McpServerAuthRequiredStateSchema = object<McpServerAuthRequiredState>('McpServerAuthRequiredState', {
  ...McpAuthRequirementSchema.properties,
  kind: Type.Literal(McpServerStatus.AuthRequired),
});

export interface McpServerErrorState {
  kind: 'error';
  /** Why it does not run. */
  error: ErrorInfo;
}

export const McpServerErrorStateSchema = object<McpServerErrorState>('McpServerErrorState', {
  kind: Type.Literal(McpServerStatus.Error),
  error: ErrorInfoSchema,
});

export interface McpServerStoppedState {
  kind: 'stopped';
}

export const McpServerStoppedStateSchema = object<McpServerStoppedState>('McpServerStoppedState', {
  kind: Type.Literal(McpServerStatus.Stopped),
});

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

export interface AhpMcpUiHostCapabilities {
  /** Present if an app may call the tools of its server. */
  serverTools?: { listChanged?: boolean | undefined } | undefined;
  /** Present if an app may read the resources of its server. */
  serverResources?: { listChanged?: boolean | undefined } | undefined;
  /** Present if an app may write to the log. */
  logging?: AnyObject | undefined;
  /** Present if an app may use the model. */
  sampling?: { tools?: AnyObject | undefined } | undefined;
}

export const AhpMcpUiHostCapabilitiesSchema = object<AhpMcpUiHostCapabilities>('AhpMcpUiHostCapabilities', {
  serverTools: optional(Type.Object({ listChanged: optional(Type.Boolean()) })),
  serverResources: optional(Type.Object({ listChanged: optional(Type.Boolean()) })),
  logging: optional(presenceFlag()),
  sampling: optional(Type.Object({ tools: optional(presenceFlag()) })),
});

export interface McpServerCustomizationApps {
  /** What the host does for apps of the server. */
  capabilities: AhpMcpUiHostCapabilities;
}

export const McpServerCustomizationAppsSchema = object<McpServerCustomizationApps>('McpServerCustomizationApps', {
  capabilities: AhpMcpUiHostCapabilitiesSchema,
});

export interface McpServerCustomization extends CustomizationBase {
  type: 'mcpServer';
  /** Whether it is switched on, and by whom. */
  enablement?: CustomizationEnablement[] | undefined;
  /** Whether it runs, and if not, why. */
  state: McpServerState;
  /** Where clients talk to it. */
  channel?: URI | undefined;
  /** Present if it has user interfaces of its own. */
  mcpApp?: McpServerCustomizationApps | undefined;
}

export const McpServerCustomizationSchema = object<McpServerCustomization>('McpServerCustomization', {
  ...CustomizationBaseSchema.properties,
  type: Type.Literal(CustomizationType.McpServer),
  enablement: optional(Type.Array(CustomizationEnablementSchema)),
  state: McpServerStateSchema,
  channel: optional(URISchema),
  mcpApp: optional(McpServerCustomizationAppsSchema),
});
