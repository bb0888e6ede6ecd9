import fc from 'fast-check';
import { it } from 'vitest';

export type Step =
  | { kind: 'dispatch'; client: number; action: number; value: number }
  | { kind: 'cut'; client: number }
  | { kind: 'restart' }
  | { kind: 'crash' }
  | { kind: 'rest' };

/** A host in memory with its clients. */
interface World {
  do(step: Step): Promise<void>;
  /** All is quiet in the end, and everybody knows the same. */
  check(): Promise<void>;
}

export interface Convergence {
  readonly clients: number;
  /** How many kinds of actions, and of values in them, there are. */
  readonly actions: number;
  readonly values: number;
  /** How often each step comes, of all. */
  readonly weights: Readonly<Record<Step['kind'], number>>;
  readonly runs: number;
  readonly msPerRun: number;
  readonly create: () => Promise<World>;
}

/** Whatever clients and the machine do, all end up with what the host has. */
export function itConverges(title: string, options: Convergence): void {
  const { runs, msPerRun, create } = options;
  const steps = fc.array(stepOf(options), { minLength: 5, maxLength: 40 });
  const property = fc.asyncProperty(steps, async (some) => {
    const world = await create();
    for (const step of some) await world.do(step);
    await world.check();
  });
  it(`${title} (${runs} runs)`, () => fc.assert(property, { numRuns: runs }), 60_000 + runs * msPerRun);
}

function stepOf({ clients, actions, values, weights }: Convergence): fc.Arbitrary<Step> {
  const client = fc.nat(clients - 1);
  const action = fc.nat(actions - 1);
  const value = fc.nat(values - 1);
  return fc.oneof(
    {
      weight: weights.dispatch,
      arbitrary: fc.record({ kind: fc.constant('dispatch' as const), client, action, value }),
    },
    { weight: weights.cut, arbitrary: fc.record({ kind: fc.constant('cut' as const), client }) },
    { weight: weights.restart, arbitrary: fc.constant({ kind: 'restart' as const }) },
    { weight: weights.crash, arbitrary: fc.constant({ kind: 'crash' as const }) },
    { weight: weights.rest, arbitrary: fc.constant({ kind: 'rest' as const }) },
  );
}

/** Lets everything that waits have so many turns of the event loop. */
export async function idle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
