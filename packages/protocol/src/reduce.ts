import type { ActionOf } from './channels/action-table.js';
import type { ChannelKind } from './channels/kind.js';
import type { ReducerEnv, Run } from './channels/reducer.js';
import { type ChannelStates, channelRegistry } from './channels/registry.js';

/**
 * The state after an action. Pure and total: it never mutates its input, never throws, whatever the action holds, and
 * returns the same object when nothing changes.
 */
export function reduce<K extends ChannelKind>(
  kind: K,
  state: ChannelStates[K],
  action: ActionOf<K>,
  env: ReducerEnv,
): ChannelStates[K] {
  try {
    return channelRegistry[kind].reduce(state, action, env);
  } catch {
    return state; // a malformed action must not end a process that mirrors it; every replica ignores it alike
  }
}

/** The state after many actions: the same as one by one, but runs of appends or upserts copy the state only once. */
export function reduceAll<K extends ChannelKind>(
  kind: K,
  state: ChannelStates[K],
  actions: readonly ActionOf<K>[],
  env: ReducerEnv,
): ChannelStates[K] {
  let current = state;
  for (let index = 0; index < actions.length; ) {
    const run = reduceRun(kind, current, actions, index);
    if (run) {
      current = run.state;
      index = run.end;
      continue;
    }
    const action = actions[index];
    if (action) current = reduce(kind, current, action, env);
    index++;
  }
  return current;
}

function reduceRun<K extends ChannelKind>(
  kind: K,
  state: ChannelStates[K],
  actions: readonly ActionOf<K>[],
  start: number,
): Run<ChannelStates[K]> | undefined {
  try {
    return channelRegistry[kind].reduceRun?.(state, actions, start);
  } catch {
    return undefined; // one by one, a malformed action is ignored alone
  }
}
