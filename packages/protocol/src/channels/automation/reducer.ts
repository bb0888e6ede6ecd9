import { removeAt, upsert } from '../../common/list.js';
import type { ActionOf } from '../action-table.js';
import type { AutomationState } from './state.js';

/** Requests change nothing by themselves: what comes of them, the host sets. */
export function reduceAutomation(state: AutomationState, action: ActionOf<'automation'>): AutomationState {
  switch (action.type) {
    case 'automation/set': {
      const { automation } = action;
      return {
        ...state,
        entries: upsert(state.entries, automation, ({ resource }) => resource === automation.resource),
      };
    }
    case 'automation/removed': {
      const index = state.entries.findIndex(({ resource }) => resource === action.resource);
      return index < 0 ? state : { ...state, entries: removeAt(state.entries, index) };
    }
    default:
      return state;
  }
}
