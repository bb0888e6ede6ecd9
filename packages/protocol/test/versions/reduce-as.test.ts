import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialectOf, reduceAs, type Subject, type WireAction, type WireObject } from '../../src/versions/index.js';
import { bare } from '../support/versions/bare.js';
import { conversation } from '../support/versions/conversation.js';
import { reduceIn } from '../support/versions/reduce.js';
import { CHAT_VERSIONS, type ChatVersion } from '../support/versions/rules.js';
import { asHost, World } from '../support/versions/world.js';

const RUNS = Number(process.env.COMMUTE_RUNS ?? 40);
const NOW = Date.UTC(2026, 0, 1);

function numbered(version: ChatVersion): string {
  return version.split('.').length === 3 ? version : `${version}.0`;
}

describe.each(CHAT_VERSIONS)('reduceAs %s', (name) => {
  const version = numbered(name);
  const down = dialectOf(version)?.down;
  if (!down) throw new Error(`${version} is not translated`);

  it('does what the reducers of the version do', () => {
    fc.assert(
      fc.property(conversation, (actions) => {
        const world = new World();
        for (const [count, random] of actions.entries()) {
          for (const action of asHost(world, random, name, count)) {
            const isChat = action.type.startsWith('chat/');
            const kind = isChat ? 'chat' : 'session';
            const subject: Subject = isChat ? world.chatSubject() : world.sessionSubject(false);
            const before = json(down.state(subject, world.directory) ?? {});
            const [one] = down.change(world.apply(action), world.directory);
            if (!one || !('action' in one) || !one.action.type.startsWith(kind)) continue;
            const sent = json(one.action) as WireAction;
            const result = reduceAs(version, kind, before, sent, { now: () => NOW });
            expect(comparable(result)).toEqual(comparable(reduceIn(name, kind, before, sent, NOW)));
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('reduceAs 0.4', () => {
  const down = dialectOf('0.4.0')?.down;
  if (!down) throw new Error('0.4 is not translated');

  it('does the same with states that no host of today has, because some actions were lost', () => {
    fc.assert(
      fc.property(conversation, (actions) => {
        const world = new World();
        const states = {
          chat: bare(down.state(world.chatSubject(), world.directory) ?? {}),
          session: bare(down.state(world.sessionSubject(false), world.directory) ?? {}),
        };
        for (const [count, random] of actions.entries()) {
          for (const action of asHost(world, random, '0.4', count)) {
            for (const one of down.change(world.apply(action), world.directory)) {
              if (!('action' in one) || count % 3 === 0) continue;
              const kind = one.action.type.startsWith('chat/') ? 'chat' : 'session';
              const sent = bare(one.action);
              const result = reduceAs('0.4.0', kind, states[kind], sent, { now: () => NOW });
              const expected: WireObject = bare(reduceIn('0.4', kind, states[kind], sent, NOW));
              expect(withoutEmptyMeta(bare(result))).toEqual(withoutEmptyMeta(expected));
              states[kind] = expected;
            }
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** An empty `_meta` says nothing. */
function withoutEmptyMeta(state: WireObject): WireObject {
  return JSON.stringify(state._meta) === '{}' ? { ...state, _meta: undefined } : state;
}

/** Before 0.9 also a tool that a client has to run counted as waiting for the user. */
function comparable(state: WireObject): WireObject {
  return 'inputNeeded' in state ? json({ ...state, status: undefined }) : json(state);
}

function json<T extends WireObject>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
