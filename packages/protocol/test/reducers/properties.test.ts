import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TSchema } from '../../src/common/type.js';
import {
  type ActionOf,
  actionTable,
  type ChannelKind,
  type ChannelStates,
  channelKinds,
  channelRegistry,
  reduce,
  reduceAll,
  strict,
} from '../../src/index.js';
import { arbitraryJson, arbitraryKey, arbitraryOf } from '../support/arbitrary.js';
import { applyAny, deepFreeze, env } from '../support/reducing.js';

type State = ChannelStates[ChannelKind];
type Action = ActionOf<ChannelKind>;

/** Each kind with valid states and actions of its own, made from the schemas. */
const kinds = channelKinds.map((kind) => {
  const rows = Object.entries(actionTable).filter(([, row]) => row.kind === kind);
  const byType = rows.map(([, row]) => arbitraryOf(row.schema as TSchema) as fc.Arbitrary<Action>);
  const state = arbitraryOf(channelRegistry[kind].state) as fc.Arbitrary<State>;
  const run = fc.oneof(...byType.map((action) => fc.array(action, { minLength: 1, maxLength: 7 })));
  return {
    kind,
    state: state.map(deepFreeze),
    action: fc.oneof(...byType).map(deepFreeze),
    /** Stretches of one type, as they come from a stream. */
    actions: fc.array(run, { maxLength: 8 }).map((runs) => deepFreeze(runs.flat())),
  };
});

/** What a broken or hostile peer may send in the place of an action of this kind. */
function garbage(kind: ChannelKind): fc.Arbitrary<Action> {
  const types = Object.keys(actionTable).filter((type) => type.startsWith(`${kind}/`));
  const member = fc.oneof(arbitraryJson, fc.constantFrom('a', 'b', null, undefined, {}, [], ['a'], 1));
  const names = ['turnId', 'partId', 'toolCallId', 'content', 'data', 'file', 'id', 'chat', 'request', 'requestId'];
  const more = [
    'changes',
    'config',
    'order',
    'customization',
    'annotation',
    'annotationId',
    'entry',
    'result',
    'files',
  ];
  const members = fc.dictionary(fc.constantFrom(...names, ...more), member, { maxKeys: 8, noNullPrototype: true });
  const typed = fc.tuple(fc.constantFrom(...types), members).map(([type, payload]) => ({ ...payload, type }));
  return fc.oneof({ weight: 5, arbitrary: typed }, { weight: 1, arbitrary: arbitraryJson }) as fc.Arbitrary<Action>;
}

function oneByOne(kind: ChannelKind, state: State, actions: readonly Action[]): State {
  return actions.reduce<State>((current, action) => reduceAny(kind, current, action, env), state);
}

const reduceAny = reduce as (kind: ChannelKind, state: State, action: Action, clock: typeof env) => State;

describe.each(kinds)('$kind', ({ kind, state, action, actions }) => {
  it('a valid action on a valid state throws nothing, mutates nothing (R-2) and gives a valid state', () => {
    const check = strict(channelRegistry[kind].state);
    fc.assert(
      fc.property(state, actions, (before, list) => {
        let current: object = before;
        for (const next of list) {
          current = applyAny(kind, current, next);
          expect(check.explain(current)).toBeUndefined();
        }
      }),
      { numRuns: 120 },
    );
  });

  it('no state that was given out ever changes, and none depends on what was reduced before it', () => {
    const step = fc.tuple(fc.nat(), action);
    fc.assert(
      fc.property(
        fc.array(state, { minLength: 1, maxLength: 3 }),
        fc.array(step, { maxLength: 25 }),
        (roots, steps) => {
          const seen: State[] = [...roots];
          const texts = seen.map((entry) => JSON.stringify(entry));
          for (const [at, next] of steps) {
            const from = seen[at % seen.length] ?? roots[0];
            if (!from) continue;
            const to = reduceAny(kind, from, next, env);
            const stranger = reduceAny(kind, structuredClone(from), next, env); // no memory can know this object
            expect(to).toEqual(stranger);
            seen.push(to);
            texts.push(JSON.stringify(to));
          }
          expect(seen.map((entry) => JSON.stringify(entry))).toEqual(texts);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('batches give what the same actions give one by one, and change nothing that was given out', () => {
    fc.assert(
      fc.property(state, fc.array(actions, { maxLength: 3 }), (before, lists) => {
        // Copies that are not frozen: `reduceAll` goes one by one where a run throws, which would hide a mutation.
        const batches = structuredClone(lists);
        const seen = [structuredClone(before)];
        for (const batch of batches) seen.push(reduceAll(kind, seen.at(-1) as never, batch as never, env));
        expect(batches).toEqual(lists);
        expect(seen).toEqual([
          before,
          ...lists.map((_, index) => oneByOne(kind, before, lists.slice(0, index + 1).flat())),
        ]);
      }),
      { numRuns: 150 },
    );
  });

  it('garbage throws nothing, and a batch with garbage in it gives what it gives one by one', () => {
    const mixed = fc.array(fc.oneof(action, garbage(kind)), { maxLength: 12 }).map(deepFreeze);
    fc.assert(
      fc.property(state, mixed, (before, list) => {
        const text = JSON.stringify(before);
        const batch = reduceAll(kind, before as never, list as never, env);
        expect(batch).toEqual(oneByOne(kind, before, list));
        expect(JSON.stringify(before)).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  it('R-4 an unknown action type changes nothing', () => {
    const name = fc.oneof(arbitraryKey, fc.string()).filter((text) => !(`${kind}/${text}` in actionTable));
    const unknown = fc.tuple(name, fc.boolean(), arbitraryJson).map(([text, prefixed, payload]) => ({
      ...(typeof payload === 'object' && payload),
      type: prefixed ? `${kind}/${text}` : text,
    }));
    fc.assert(
      fc.property(state, unknown, (before, next) => {
        expect(applyAny(kind, before, next)).toBe(before);
      }),
    );
  });
});
