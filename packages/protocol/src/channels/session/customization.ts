import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { CustomizationBaseSchema, CustomizationLoadStateSchema, CustomizationType } from './customization-base.js';
import { ChildCustomizationSchema, ChildCustomizationTypeSchema } from './customization-child.js';
import { CustomizationEnablementSchema } from './customization-enablement.js';
import { McpServerCustomizationSchema } from './mcp-server.js';

export const ContainerCustomizationBaseSchema = named(
  'ContainerCustomizationBase',
  Type.Object({
    ...CustomizationBaseSchema.properties,
    clientId: optional(Type.String()),
    load: optional(CustomizationLoadStateSchema),
    children: optional(Type.Array(ChildCustomizationSchema)),
  }),
);
export type ContainerCustomizationBase = Static<typeof ContainerCustomizationBaseSchema>;

export const PluginCustomizationSchema = named(
  'PluginCustomization',
  Type.Object({
    ...ContainerCustomizationBaseSchema.properties,
    type: Type.Literal(CustomizationType.Plugin),
    enablement: optional(Type.Array(CustomizationEnablementSchema)),
    version: optional(Type.String()),
  }),
);
export type PluginCustomization = Static<typeof PluginCustomizationSchema>;

export const ClientPluginCustomizationSchema = named(
  'ClientPluginCustomization',
  Type.Object({
    ...ContainerCustomizationBaseSchema.properties,
    type: Type.Literal(CustomizationType.Plugin),
    enablement: optional(Type.Array(CustomizationEnablementSchema)),
    version: optional(Type.String()),
    nonce: optional(Type.String()),
    /** Decisions on its children, by their ids. */
    childEnablement: optional(Type.Record(Type.String(), Type.Array(CustomizationEnablementSchema))),
  }),
);
export type ClientPluginCustomization = Static<typeof ClientPluginCustomizationSchema>;

export const DirectoryCustomizationSchema = named(
  'DirectoryCustomization',
  Type.Object({
    ...ContainerCustomizationBaseSchema.properties,
    type: Type.Literal(CustomizationType.Directory),
    enabled: Type.Boolean(),
    contents: ChildCustomizationTypeSchema,
    writable: Type.Boolean(),
  }),
);
export type DirectoryCustomization = Static<typeof DirectoryCustomizationSchema>;

export const CustomizationSchema = named(
  'Customization',
  Type.Union([PluginCustomizationSchema, DirectoryCustomizationSchema, McpServerCustomizationSchema]),
);
/** A plugin, a directory of customizations, or an MCP server, as a session lists it. */
export type Customization = Static<typeof CustomizationSchema>;
