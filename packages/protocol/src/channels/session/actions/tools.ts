import type { Static } from 'typebox';
import { named } from '../../../common/schema.js';
import { ToolDefinitionSchema } from '../../../common/tool-definition.js';
import { Type } from '../../../common/type.js';
import { SessionActiveClientSchema } from '../active-client.js';

export const SessionServerToolsChangedActionSchema = named(
  'SessionServerToolsChangedAction',
  Type.Object({
    type: Type.Literal('session/serverToolsChanged'),
    tools: Type.Array(ToolDefinitionSchema),
  }),
);
export type SessionServerToolsChangedAction = Static<typeof SessionServerToolsChangedActionSchema>;

export const SessionActiveClientSetActionSchema = named(
  'SessionActiveClientSetAction',
  Type.Object({
    type: Type.Literal('session/activeClientSet'),
    activeClient: SessionActiveClientSchema,
  }),
);
export type SessionActiveClientSetAction = Static<typeof SessionActiveClientSetActionSchema>;

export const SessionActiveClientRemovedActionSchema = named(
  'SessionActiveClientRemovedAction',
  Type.Object({
    type: Type.Literal('session/activeClientRemoved'),
    clientId: Type.String(),
  }),
);
export type SessionActiveClientRemovedAction = Static<typeof SessionActiveClientRemovedActionSchema>;
