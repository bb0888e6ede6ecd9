/** What a reducer may know besides state and action. Reading the clock once per action keeps replays exact. */
export interface ReducerEnv {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Pure: never mutates its input, and returns the same object when nothing changes. */
export type Reducer<S, A> = (state: S, action: A, env: ReducerEnv) => S;

/**
 * Reduces a run of like actions from `start` on in one step, or returns undefined where there is none. The result must
 * be what the reducer makes of the same actions one by one.
 */
export type RunReducer<S, A> = (state: S, actions: readonly A[], start: number) => Run<S> | undefined;

export interface Run<S> {
  readonly state: S;
  /** The index of the first action after the run, which has at least one. */
  readonly end: number;
}
