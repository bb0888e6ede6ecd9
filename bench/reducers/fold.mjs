import { reduce, reduceAll } from '@moorage/protocol';
import { reduceNaively } from './naive.mjs';

const env = { now: () => 1_750_000_000_000 };

/** Every state is published here, as a host would: otherwise the compiler might never build those in between. */
const published = { state: undefined };

export function foldNaively(state, actions) {
  let current = state;
  for (const action of actions) {
    current = reduceNaively(current, action);
    published.state = current;
  }
  return current;
}

export function foldSingly(kind, state, actions) {
  let current = state;
  for (const action of actions) {
    current = reduce(kind, current, action, env);
    published.state = current;
  }
  return current;
}

export function foldBatches(kind, state, batches) {
  let current = state;
  for (const batch of batches) {
    current = reduceAll(kind, current, batch, env);
    published.state = current;
  }
  return current;
}

export function inBatches(actions, size) {
  const batches = [];
  for (let start = 0; start < actions.length; start += size) batches.push(actions.slice(start, start + size));
  return batches;
}
