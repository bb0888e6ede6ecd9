import type { Reducer } from '../../src/channels/reducer.js';
import {
  type ActionOf,
  type ChannelKind,
  type ChannelStates,
  channelRegistry,
  type ReducerEnv,
} from '../../src/index.js';

/** The instant at which every reducer test takes place. */
export const env = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) };

/**
 * Applies actions one by one with the reducer itself: `reduce` swallows what a reducer throws, and a mutation of the
 * deep-frozen input must be seen.
 */
export function apply<K extends ChannelKind>(
  kind: K,
  state: ChannelStates[K],
  ...actions: ActionOf<K>[]
): ChannelStates[K] {
  return actions.reduce(
    (current, action) => deepFreeze(channelRegistry[kind].reduce(current, deepFreeze(action), env)),
    deepFreeze(state),
  );
}

/** The same for one action, where a table mixes kinds and TypeScript cannot tell which action goes with which state. */
export function applyAny(kind: ChannelKind, state: object, action: object, clock: ReducerEnv = env): object {
  const { reduce } = channelRegistry[kind] as { reduce: Reducer<object, object> };
  return deepFreeze(reduce(deepFreeze(state), deepFreeze(action), clock));
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}

/** What a peer would read: members that are undefined in memory are absent. */
export function onTheWire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** The same object with members that this version does not know, as a later version might send it. */
export function withExtras<T extends object>(value: T, extras: object = { future: { nested: [1, null] } }): T {
  return { ...value, ...extras };
}

/** What no type of ours allows, for actions and states that a later version or a broken peer may send. */
export function foreign<T>(value: unknown): T {
  return value as T;
}
