import type { ActionOf } from '../action-table.js';
import type { AutomationRunState } from './state.js';

export function reduceAutomationRun(state: AutomationRunState, action: ActionOf<'automationRun'>): AutomationRunState {
  switch (action.type) {
    case 'automationRun/lifecycleChanged':
      return { ...state, lifecycle: action.lifecycle };
    case 'automationRun/sessionSet':
      return state.sessions.includes(action.session)
        ? state
        : { ...state, sessions: [...state.sessions, action.session] };
    case 'automationRun/sessionRemoved':
      return state.sessions.includes(action.session) ? withoutSession(state, action.session) : state;
    case 'automationRun/primarySessionChanged': {
      const { primarySession: _, ...others } = state;
      const { primarySession } = action;
      return primarySession === undefined ? others : { ...others, primarySession };
    }
    default:
      return state;
  }
}

/** A session that is gone is not the one to show either. */
function withoutSession(state: AutomationRunState, session: string): AutomationRunState {
  const { primarySession, ...others } = state;
  const sessions = state.sessions.filter((other) => other !== session);
  return { ...others, sessions, ...(primarySession !== undefined && primarySession !== session && { primarySession }) };
}
