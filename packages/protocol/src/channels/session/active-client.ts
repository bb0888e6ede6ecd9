import { object, optional } from '../../common/schema.js';
import { type ToolDefinition, ToolDefinitionSchema } from '../../common/tool-definition.js';
import { Type } from '../../common/type.js';
import { type ClientPluginCustomization, ClientPluginCustomizationSchema } from './customization.js';

/** A client whose tools and plugins a session uses. */
export interface SessionActiveClient {
  clientId: string;
  displayName?: string | undefined;
  tools: ToolDefinition[];
  customizations?: ClientPluginCustomization[] | undefined;
}

export const SessionActiveClientSchema = object<SessionActiveClient>('SessionActiveClient', {
  clientId: Type.String(),
  displayName: optional(Type.String()),
  tools: Type.Array(ToolDefinitionSchema),
  customizations: optional(Type.Array(ClientPluginCustomizationSchema)),
});
