import { object, optional } from '../../common/schema.js';
import { type ToolDefinition, ToolDefinitionSchema } from '../../common/tool-definition.js';
import { Type } from '../../common/type.js';
import { type ClientPluginCustomization, ClientPluginCustomizationSchema } from './customization.js';

/** A client whose tools and plugins a session uses. */
export interface SessionActiveClient {
  /** The id with which the client has initialized. */
  clientId: string;
  /** What to call the client in messages to the user, such as `VS Code`. */
  displayName?: string | undefined;
  /** Tools that the client runs for the agent. */
  tools: ToolDefinition[];
  /** Plugins that the client brings along. */
  customizations?: ClientPluginCustomization[] | undefined;
}

export const SessionActiveClientSchema = object<SessionActiveClient>('SessionActiveClient', {
  clientId: Type.String(),
  displayName: optional(Type.String()),
  tools: Type.Array(ToolDefinitionSchema),
  customizations: optional(Type.Array(ClientPluginCustomizationSchema)),
});
