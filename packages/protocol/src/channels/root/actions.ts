import type { Static } from 'typebox';
import { freeForm, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { TerminalInfoSchema } from '../terminal/state.js';
import { AgentInfoSchema } from './state.js';

export const RootAgentsChangedActionSchema = named(
  'RootAgentsChangedAction',
  Type.Object({
    type: Type.Literal('root/agentsChanged'),
    agents: Type.Array(AgentInfoSchema),
  }),
);
export type RootAgentsChangedAction = Static<typeof RootAgentsChangedActionSchema>;

export const RootActiveSessionsChangedActionSchema = named(
  'RootActiveSessionsChangedAction',
  Type.Object({
    type: Type.Literal('root/activeSessionsChanged'),
    activeSessions: Type.Integer(),
  }),
);
export type RootActiveSessionsChangedAction = Static<typeof RootActiveSessionsChangedActionSchema>;

export const RootTerminalsChangedActionSchema = named(
  'RootTerminalsChangedAction',
  Type.Object({
    type: Type.Literal('root/terminalsChanged'),
    terminals: Type.Array(TerminalInfoSchema),
  }),
);
export type RootTerminalsChangedAction = Static<typeof RootTerminalsChangedActionSchema>;

export const RootConfigChangedActionSchema = named(
  'RootConfigChangedAction',
  Type.Object({
    type: Type.Literal('root/configChanged'),
    config: freeForm(),
    replace: optional(Type.Boolean()),
  }),
);
export type RootConfigChangedAction = Static<typeof RootConfigChangedActionSchema>;
