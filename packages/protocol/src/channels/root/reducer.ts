import { mergeConfig } from '../../common/merge-config.js';
import type { ActionOf } from '../action-table.js';
import type { RootState } from './state.js';

export function reduceRoot(state: RootState, action: ActionOf<'root'>): RootState {
  switch (action.type) {
    case 'root/agentsChanged':
      return { ...state, agents: action.agents };
    case 'root/activeSessionsChanged':
      return { ...state, activeSessions: action.activeSessions };
    case 'root/terminalsChanged':
      return { ...state, terminals: action.terminals };
    case 'root/configChanged':
      return state.config ? { ...state, config: mergeConfig(state.config, action) } : state;
    default:
      return state;
  }
}
