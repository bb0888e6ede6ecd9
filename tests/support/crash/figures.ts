import { expect } from 'vitest';

/** How much a run did. */
export type CrashFigures = ReturnType<typeof noFigures>;

export function noFigures() {
  return {
    rounds: 0,
    stops: 0,
    stopsCutShort: 0,
    diedAtStart: 0,
    agentsKilled: 0,
    processesGone: 0,
    envelopes: 0,
    operations: 0,
    operationsDone: 0,
    appended: 0,
    compared: 0,
    replays: 0,
    snapshots: 0,
  };
}

/** Of fewer rounds, chance may leave something out. */
const ENOUGH_ROUNDS = 20;

/** A run that did not do what it is for has shown nothing. */
export function expectRealLoad({ rounds, ...counts }: CrashFigures): void {
  if (rounds < ENOUGH_ROUNDS) return;
  const { agentsKilled, processesGone, operations, operationsDone, appended, replays, diedAtStart } = counts;
  const needed = { agentsKilled, processesGone, operations, operationsDone, appended, replays, diedAtStart };
  expect(Object.entries(needed).filter(([, count]) => count === 0)).toEqual([]);
}
