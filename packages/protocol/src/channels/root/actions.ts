import { freeForm, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type TerminalInfo, TerminalInfoSchema } from '../terminal/state.js';
import { type AgentInfo, AgentInfoSchema } from './state.js';

export interface RootAgentsChangedAction {
  type: 'root/agentsChanged';
  agents: AgentInfo[];
}

export const RootAgentsChangedActionSchema = object<RootAgentsChangedAction>('RootAgentsChangedAction', {
  type: Type.Literal('root/agentsChanged'),
  agents: Type.Array(AgentInfoSchema),
});

export interface RootActiveSessionsChangedAction {
  type: 'root/activeSessionsChanged';
  activeSessions: number;
}

export const RootActiveSessionsChangedActionSchema = object<RootActiveSessionsChangedAction>(
  'RootActiveSessionsChangedAction',
  {
    type: Type.Literal('root/activeSessionsChanged'),
    activeSessions: Type.Integer(),
  },
);

export interface RootTerminalsChangedAction {
  type: 'root/terminalsChanged';
  terminals: TerminalInfo[];
}

export const RootTerminalsChangedActionSchema = object<RootTerminalsChangedAction>('RootTerminalsChangedAction', {
  type: Type.Literal('root/terminalsChanged'),
  terminals: Type.Array(TerminalInfoSchema),
});

export interface RootConfigChangedAction {
  type: 'root/configChanged';
  config: Record<string, unknown>;
  replace?: boolean | undefined;
}

export const RootConfigChangedActionSchema = object<RootConfigChangedAction>('RootConfigChangedAction', {
  type: Type.Literal('root/configChanged'),
  config: freeForm(),
  replace: optional(Type.Boolean()),
});
