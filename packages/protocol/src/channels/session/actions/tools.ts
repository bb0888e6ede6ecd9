import { object } from '../../../common/schema.js';
import { type ToolDefinition, ToolDefinitionSchema } from '../../../common/tool-definition.js';
import { Type } from '../../../common/type.js';
import { type SessionActiveClient, SessionActiveClientSchema } from '../active-client.js';

export interface SessionServerToolsChangedAction {
  type: 'session/serverToolsChanged';
  /** All tools, in place of those before. */
  tools: ToolDefinition[];
}

export const SessionServerToolsChangedActionSchema = object<SessionServerToolsChangedAction>(
  'SessionServerToolsChangedAction',
  {
    type: Type.Literal('session/serverToolsChanged'),
    tools: Type.Array(ToolDefinitionSchema),
  },
);

export interface SessionActiveClientSetAction {
  type: 'session/activeClientSet';
  /** The client to add, or to replace what it said before. */
  activeClient: SessionActiveClient;
}

export const SessionActiveClientSetActionSchema = object<SessionActiveClientSetAction>('SessionActiveClientSetAction', {
  type: Type.Literal('session/activeClientSet'),
  activeClient: SessionActiveClientSchema,
});

export interface SessionActiveClientRemovedAction {
  type: 'session/activeClientRemoved';
  /** The id with which the client has initialized. */
  clientId: string;
}

export const SessionActiveClientRemovedActionSchema = object<SessionActiveClientRemovedAction>(
  'SessionActiveClientRemovedAction',
  {
    type: Type.Literal('session/activeClientRemoved'),
    clientId: Type.String(),
  },
);
