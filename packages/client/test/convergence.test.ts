import type { ActionOf, ChannelKind } from '@moorage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotDeliveredError, RejectedError } from '../src/index.js';
import { settled } from './support/fake-clock.js';
import { canonical, type Decision, FakeHost } from './support/fake-host.js';
import {
  ANNOTATIONS,
  annotationsState,
  busyChat,
  CHAT,
  data,
  delta,
  queued,
  SESSION,
  sessionState,
  TERMINAL,
  terminalState,
  title,
} from './support/samples.js';
import { heal, Member } from './support/world.js';

type Action = ActionOf<ChannelKind>;

const annotation = (id: string): Action => ({
  type: 'annotations/set',
  annotation: {
    id,
    origin: { session: SESSION },
    resource: 'file:///a',
    resolved: false,
    entries: [{ id: 'e', text: id }],
  },
});

/** What clients and the host do on each channel. */
const ACTIONS: Record<string, { client: (n: number) => Action; host: (n: number) => Action }> = {
  [SESSION]: {
    client: (n) => title(`mine ${n}`),
    host: (n) => ({ type: 'session/isReadChanged', isRead: n % 2 === 0 }),
  },
  [CHAT]: {
    client: (n) =>
      n % 3 === 0
        ? { type: 'chat/pendingMessageRemoved', kind: 'queued', id: `q${n % 2}` }
        : queued(`q${n % 4}`, `${n}`),
    host: (n) => delta(`${n} `),
  },
  [TERMINAL]: { client: (n) => ({ type: 'terminal/titleChanged', title: `${n}` }), host: (n) => data(`${n}\n`) },
  [ANNOTATIONS]: {
    client: (n) => (n % 3 === 0 ? { type: 'annotations/removed', annotationId: `a${n % 2}` } : annotation(`a${n % 4}`)),
    host: (n) => annotation(`h${n % 3}`),
  },
};
const URIS = Object.keys(ACTIONS);

const who = fc.nat(2);
const uri = fc.constantFrom(...URIS);
const n = fc.nat(20);
const decision = fc.constantFrom<Decision>(
  'accept',
  'accept',
  'ignore',
  'defer',
  { reject: 'no' },
  { reject: 'never' },
);

/** Steps by weight. A step that does not settle happens in the same turn as the next. */
const stepArbitrary = fc.record({
  settle: fc.constantFrom(true, true, false),
  what: fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('dispatch' as const), who, uri, n }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('emit' as const), uri, n }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('up' as const), who, n: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('down' as const), who, n: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('sync' as const), who }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('calm' as const), who }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), who }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('turn' as const), who }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), who }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('cut' as const), who }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('hold' as const), who, uri }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), who, uri }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('decide' as const), decision }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('resume' as const),
        with: fc.constantFrom('replay' as const, 'snapshot' as const, 'error' as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('lazy' as const), on: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('releaseDeferred' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('damage' as const), who, uri, n }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), uri: fc.constant(TERMINAL) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('rollBack' as const) }) },
  ),
});
type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never;

describe('several clients of one host', () => {
  it('end with the host’s states and know what became of every dispatch, whatever happens on the way', async () => {
    const seen = { kept: 0, rejected: 0, lost: 0, unsent: 0, replayed: 0, replaced: 0, damaged: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 20, maxLength: 120 }), async (steps) => {
        const host = new FakeHost();
        host.serverSeq = 1_000_000_000;
        host.add(SESSION, 'session', sessionState());
        host.add(CHAT, 'chat', busyChat());
        host.add(TERMINAL, 'terminal', terminalState());
        host.add(ANNOTATIONS, 'annotations', annotationsState());
        const members = [0, 1, 2].map((index) => new Member(`c${index}`, host));
        for (const member of members) {
          await member.connect();
          for (const name of URIS) member.hold(name);
          await member.deliverAll();
        }
        for (const step of steps) {
          await take(step, host, members);
          if (step.settle) await settled();
        }
        await settled();

        await heal(host, members);
        expectConverged(host, members);
        // What the host ignored is answered only when the connection ends.
        for (const { wire } of members) wire?.cut();
        await heal(host, members);
        expectConverged(host, members);
        for (const member of members) for (const entry of member.dispatched) expectTold(host, entry);
        for (const [, times] of host.seen) expect(times).toBe(1); // I-6

        for (const { client, clock } of members) {
          client?.close();
          expect(clock.armed).toBe(0); // I-7
        }
        for (const { envelope, error } of members.flatMap(({ dispatched }) => dispatched)) {
          if (envelope) seen.kept++;
          else if (error instanceof RejectedError) seen.rejected++;
          else if (error instanceof NotDeliveredError && error.sent) seen.lost++;
          else seen.unsent++;
        }
        seen.replayed += host.resumed.replay;
        seen.replaced += host.resumed.snapshot;
        seen.damaged += host.damaged;
      }),
      { numRuns: Number(process.env.CONVERGENCE_RUNS ?? 400) },
    );
    // The property says something only if all of this happened, and often.
    for (const times of Object.values(seen)) expect(times, JSON.stringify(seen)).toBeGreaterThan(5);
  });
});

async function take({ what }: Step, host: FakeHost, members: readonly Member[]): Promise<void> {
  const member = ('who' in what ? members[what.who] : members[0]) as Member;
  const act = (by: 'client' | 'host', name: string, value: number) => ACTIONS[name]?.[by](value) as Action;
  switch (what.do) {
    case 'dispatch':
      member.dispatch(what.uri, act('client', what.uri, what.n));
      break;
    case 'emit':
      host.emit(what.uri, act('host', what.uri, what.n));
      break;
    case 'damage':
      host.emitDamaged(what.uri, act('host', what.uri, what.n), member.id, { serverSeq: 'x' });
      break;
    case 'up':
    case 'down':
      member.wire?.deliver(what.do, what.n);
      break;
    case 'sync':
      member.wire?.deliver('up');
      member.wire?.deliver('down');
      break;
    case 'calm': // long enough to come back
      if (member.client?.status !== 'live') member.clock.advance(member.clock.nextIn ?? 0);
      await settled();
      await member.deliverAll();
      break;
    case 'wait':
      member.clock.advance(member.clock.nextIn ?? 0);
      break;
    case 'turn':
      member.clock.turn();
      break;
    case 'look':
      member.look();
      break;
    case 'cut':
      member.wire?.cut();
      break;
    case 'hold':
      member.hold(what.uri);
      break;
    case 'release':
      member.release(what.uri);
      break;
    case 'decide':
      host.decide = () => what.decision;
      break;
    case 'resume':
      host.resumeWith = what.with;
      break;
    case 'lazy':
      host.lazy = what.on;
      break;
    case 'flush':
      host.flush();
      break;
    case 'releaseDeferred':
      host.releaseDeferred();
      break;
    case 'remove':
      host.remove(what.uri);
      break;
    case 'rollBack':
      for (const { wire } of members) wire?.cut();
      // Numbers that no client has seen as the last one: a host that counts through them again cannot be followed.
      host.rollBack(host.serverSeq - 10_000);
  }
}

function expectConverged(host: FakeHost, members: readonly Member[]): void {
  for (const member of members) {
    for (const [name, mirror] of member.mirrors) {
      const state = host.state(name);
      if (mirror.status === 'gone') expect(state).toBeUndefined();
      else if (state) expect(canonical(mirror.confirmed)).toBe(canonical(state));
      if (mirror.pendingCount === 0) expect(mirror.optimistic).toBe(mirror.confirmed);
    }
    member.look();
  }
}

/** Every dispatch settled once, and what it was told is true. */
function expectTold(host: FakeHost, { key, settlements, envelope, error }: Member['dispatched'][number]): void {
  expect(settlements).toBe(1);
  if (envelope) expect(host.accepted.has(key)).toBe(true);
  else if (error instanceof RejectedError) expect(host.rejected.has(key)).toBe(true);
  else {
    expect(error).toBeInstanceOf(NotDeliveredError);
    if (error instanceof NotDeliveredError && !error.sent) expect(host.seen.has(key)).toBe(false);
  }
}
