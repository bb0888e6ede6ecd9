import { named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import {
  type CustomizationBase,
  CustomizationBaseSchema,
  type CustomizationLoadState,
  CustomizationLoadStateSchema,
  CustomizationType,
} from './customization-base.js';
import {
  type ChildCustomization,
  ChildCustomizationSchema,
  type ChildCustomizationType,
  ChildCustomizationTypeSchema,
} from './customization-child.js';
import { type CustomizationEnablement, CustomizationEnablementSchema } from './customization-enablement.js';
import { McpServerCustomizationSchema } from './mcp-server.js';

export interface ContainerCustomizationBase extends CustomizationBase {
  /** The client that published it, if one did. */
  clientId?: string | undefined;
  /** Whether its contents are known. */
  load?: CustomizationLoadState | undefined;
  /** What a plugin or folder contains: rules, skills, prompts, agents, servers. */
  children?: ChildCustomization[] | undefined;
}

export const ContainerCustomizationBaseSchema = object<ContainerCustomizationBase>('ContainerCustomizationBase', {
  ...CustomizationBaseSchema.properties,
  clientId: optional(Type.String()),
  load: optional(CustomizationLoadStateSchema),
  children: optional(Type.Array(ChildCustomizationSchema)),
});

export interface PluginCustomization extends ContainerCustomizationBase {
  type: 'plugin';
  /** Whether it is switched on, and by whom. */
  enablement?: CustomizationEnablement[] | undefined;
  /** Its version, as it says itself. */
  version?: string | undefined;
}

export const PluginCustomizationSchema = object<PluginCustomization>('PluginCustomization', {
  ...ContainerCustomizationBaseSchema.properties,
  type: Type.Literal(CustomizationType.Plugin),
  enablement: optional(Type.Array(CustomizationEnablementSchema)),
  version: optional(Type.String()),
});

export interface ClientPluginCustomization extends ContainerCustomizationBase {
  type: 'plugin';
  /** Whether it is switched on, and by whom. */
  enablement?: CustomizationEnablement[] | undefined;
  /** Its version, as it says itself. */
  version?: string | undefined;
  /** Changes with its contents. */
  nonce?: string | undefined;
  /** Decisions on its children, by their ids. */
  childEnablement?: Record<string, CustomizationEnablement[]> | undefined;
}

export const ClientPluginCustomizationSchema = object<ClientPluginCustomization>('ClientPluginCustomization', {
  ...ContainerCustomizationBaseSchema.properties,
  type: Type.Literal(CustomizationType.Plugin),
  enablement: optional(Type.Array(CustomizationEnablementSchema)),
  version: optional(Type.String()),
  nonce: optional(Type.String()),
  childEnablement: optional(Type.Record(Type.Array(CustomizationEnablementSchema))),
});

export interface DirectoryCustomization extends ContainerCustomizationBase {
  type: 'directory';
  /** Whether what is in it counts. */
  enabled: boolean;
  /** What kind of customizations it has. */
  contents: ChildCustomizationType;
  /** Whether clients may add files to it. */
  writable: boolean;
}

export const DirectoryCustomizationSchema = object<DirectoryCustomization>('DirectoryCustomization', {
  ...ContainerCustomizationBaseSchema.properties,
  type: Type.Literal(CustomizationType.Directory),
  enabled: Type.Boolean(),
  contents: ChildCustomizationTypeSchema,
  writable: Type.Boolean(),
});

export const CustomizationSchema = named(
  'Customization',
  Type.Union([PluginCustomizationSchema, DirectoryCustomizationSchema, McpServerCustomizationSchema]),
);
/** A plugin, a directory of customizations, or an MCP server, as a session lists it. */
export type Customization = Static<typeof CustomizationSchema>;
