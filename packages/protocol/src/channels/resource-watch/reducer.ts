import type { ActionOf } from '../action-table.js';
import type { ResourceWatchState } from './state.js';

/** A watch never changes: subscribers read the events from the action stream itself. */
export function reduceResourceWatch(state: ResourceWatchState, _action: ActionOf<'resourceWatch'>): ResourceWatchState {
  return state;
}
