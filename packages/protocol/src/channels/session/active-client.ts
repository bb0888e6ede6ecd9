import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { ToolDefinitionSchema } from '../../common/tool-definition.js';
import { Type } from '../../common/type.js';
import { ClientPluginCustomizationSchema } from './customization.js';

export const SessionActiveClientSchema = named(
  'SessionActiveClient',
  Type.Object({
    clientId: Type.String(),
    displayName: optional(Type.String()),
    tools: Type.Array(ToolDefinitionSchema),
    customizations: optional(Type.Array(ClientPluginCustomizationSchema)),
  }),
);
/** A client whose tools and plugins a session uses. */
export type SessionActiveClient = Static<typeof SessionActiveClientSchema>;
