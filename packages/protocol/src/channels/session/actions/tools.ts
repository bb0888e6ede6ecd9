import Type, { type Static } from 'typebox';
import { named } from '../../../common/schema.js';
import { ToolDefinitionSchema } from '../../../common/tool-definition.js';
import { SessionActiveClientSchema } from '../active-client.js';

export const SessionServerToolsChangedActionSchema = named(
  'SessionServerToolsChangedAction',
  Type.Object({
    type: Type.Literal('session/serverToolsChanged'),
    tools: Type.Array(ToolDefinitionSchema),
  }),
);
export type SessionServerToolsChangedAction = Static<typeof SessionServerToolsChangedActionSchema>;

export const SessionActiveClientChangedActionSchema = named(
  'SessionActiveClientChangedAction',
  Type.Object({
    type: Type.Literal('session/activeClientChanged'),
    activeClient: Type.Union([SessionActiveClientSchema, Type.Null()]),
  }),
);
export type SessionActiveClientChangedAction = Static<typeof SessionActiveClientChangedActionSchema>;

export const SessionActiveClientToolsChangedActionSchema = named(
  'SessionActiveClientToolsChangedAction',
  Type.Object({
    type: Type.Literal('session/activeClientToolsChanged'),
    tools: Type.Array(ToolDefinitionSchema),
  }),
);
export type SessionActiveClientToolsChangedAction = Static<typeof SessionActiveClientToolsChangedActionSchema>;
