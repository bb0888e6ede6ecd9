import { freeForm, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type TerminalInfo, TerminalInfoSchema } from '../terminal/state.js';
import { type AgentInfo, AgentInfoSchema } from './state.js';

export interface RootAgentsChangedAction {
  type: 'root/agentsChanged';
  /** All agents, in place of those before. */
  agents: AgentInfo[];
}

export const RootAgentsChangedActionSchema = object<RootAgentsChangedAction>('RootAgentsChangedAction', {
  type: Type.Literal('root/agentsChanged'),
  agents: Type.Array(AgentInfoSchema),
});

export interface RootActiveSessionsChangedAction {
  type: 'root/activeSessionsChanged';
  /** How many sessions there are. */
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
  /** All terminals, in place of those before. */
  terminals: TerminalInfo[];
}

export const RootTerminalsChangedActionSchema = object<RootTerminalsChangedAction>('RootTerminalsChangedAction', {
  type: Type.Literal('root/terminalsChanged'),
  terminals: Type.Array(TerminalInfoSchema),
});

export interface RootConfigChangedAction {
  type: 'root/configChanged';
  /** Values of settings, by name. */
  config: Record<string, unknown>;
  /** Whether `config` takes the place of all values, instead of changing those that it has. */
  replace?: boolean | undefined;
}

export const RootConfigChangedActionSchema = object<RootConfigChangedAction>('RootConfigChangedAction', {
  type: Type.Literal('root/configChanged'),
  config: freeForm(),
  replace: optional(Type.Boolean()),
});
