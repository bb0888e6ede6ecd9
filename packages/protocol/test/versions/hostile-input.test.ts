import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionTable, isObject, RpcError, requests, type StateAction } from '../../src/index.js';
import { dialectOf, type WireAction, type WireObject } from '../../src/versions/index.js';
import { arbitraryJson, arbitraryOf } from '../support/arbitrary.js';
import { mutated } from '../support/mutate.js';
import { conversation } from '../support/versions/conversation.js';
import { asHost, CHAT, SESSION, World } from '../support/versions/world.js';

const RUNS = Number(process.env.COMMUTE_RUNS ?? 40);
const VERSIONS = [1, '0.1.0', '0.2.0', '0.3.0', '0.4.0', '0.5.0', '0.5.1', '0.5.2', '0.6.0', '0.7.0', '0.9.0', '1.0.0'];

/** The types that only older versions have, with members that mean something there. */
const legacyActions = fc
  .record({
    type: fc.constantFrom(
      'session/activeClientChanged',
      'session/activeClientToolsChanged',
      'session/modelChanged',
      'session/agentChanged',
      'session/turnStarted',
      'session/toolCallConfirmed',
      'session/isDoneChanged',
      'changeset/filesReviewedChanged',
    ),
    activeClient: arbitraryJson,
    tools: arbitraryJson,
    model: arbitraryJson,
    agent: arbitraryJson,
    message: arbitraryJson,
    userMessage: arbitraryJson,
    fileIds: arbitraryJson,
  })
  .map((action): unknown => action);

const anything = mutated(
  fc.oneof(
    { weight: 4, arbitrary: fc.oneof(...Object.values(actionTable).map((row) => arbitraryOf(row.schema))) },
    { weight: 1, arbitrary: legacyActions },
  ),
).filter((action): action is WireAction => isObject(action) && typeof action.type === 'string');

const anyParams = mutated(
  fc.oneof(
    ...Object.entries(requests).map(([method, row]) => arbitraryOf(row.params).map((params) => ({ method, params }))),
  ),
).filter(
  (request): request is { method: string; params: WireObject } =>
    isObject(request) && typeof request.method === 'string' && isObject(request.params),
);

/** A host in the middle of something. */
const worlds = conversation.map((actions: StateAction[]) => {
  const world = new World();
  for (const [count, random] of actions.entries()) {
    for (const action of asHost(world, random, '0.9', count)) world.apply(action);
  }
  return world;
});

describe.each(VERSIONS)('whatever a client of %s sends', (version) => {
  const up = dialectOf(version)?.up;
  if (!up) throw new Error(`${version} is not spoken`);

  it('as an action becomes a native one or is refused', () => {
    fc.assert(
      fc.property(
        worlds,
        anything,
        fc.constantFrom(SESSION, CHAT, 'ahp-session:/none'),
        ({ directory }, action, channel) => {
          const outcome = up.action({ channel, action }, directory);
          expect(['action', 'needsChat', 'reject']).toContain(outcome.kind);
          expect(up.channelOf({ channel, action })).toSatisfy(
            (named) => named === undefined || typeof named === 'string',
          );
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('as a member that means something to the translators is just a member', () => {
    const { directory } = new World();
    const action = { type: 'session/titleChanged', title: 't', refusal: 'x', reason: 'y', isRephrased: true };
    const named = { ...action, session: SESSION };
    expect(up.action({ channel: SESSION, action: named }, directory)).toMatchObject({ kind: 'action', action });
  });

  it('as a request becomes a native one, or is refused with an error of the protocol', () => {
    fc.assert(
      fc.property(worlds, anyParams, ({ directory }, { method, params }) => {
        try {
          expect(up.request(method, params, directory)).toSatisfy((native) => native === undefined || isObject(native));
        } catch (error) {
          expect(error).toBeInstanceOf(RpcError);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
