import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChannelStates, reduce, type StateAction } from '../../src/index.js';
import { legacyChat, reservedNumbers, type Subject, type WireObject } from '../../src/versions/index.js';
import { comparableLegacy } from '../support/versions/comparable.js';
import { anyAction, conversation } from '../support/versions/conversation.js';
import { reduceLegacy } from '../support/versions/reduce.js';
import {
  expectKnown,
  Replica,
  shownState,
  TRANSLATED_VERSIONS,
  translatedDialect,
} from '../support/versions/replica.js';
import { asHost, unique, World } from '../support/versions/world.js';

const RUNS = Number(process.env.COMMUTE_RUNS ?? 40);

describe.each(TRANSLATED_VERSIONS)('translating to %s', (version) => {
  const { name, down } = translatedDialect(version);

  it('and then reducing is the same as reducing and then translating: sessions and chats', () => {
    fc.assert(
      fc.property(conversation, (actions) => {
        const world = new World();
        let replica = new Replica(version, world);
        for (const [count, random] of actions.entries()) {
          for (const action of asHost(world, random, name, count)) {
            const own = legacyChat(world.session);
            const change = world.apply(action);
            if (down.mergesChats && legacyChat(world.session) !== own) {
              replica = new Replica(version, world); // a client gets a snapshot then
              continue;
            }
            const translated = down.change(change, world.directory).flatMap((one) => ('action' in one ? [one] : []));
            expect(translated.length).toBeLessThanOrEqual(reservedNumbers(action, change.before));
            for (const one of translated) replica.apply(one.action);
            if (action.type === 'chat/turnResume') replica.takeTime(world);
          }
          replica.expectEqual(world);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('what a client missed brings it up to date, or it gets snapshots', () => {
    fc.assert(
      fc.property(conversation, fc.nat(40), (actions, cut) => {
        const world = new World();
        const missed: StateAction[] = [];
        let replica = new Replica(version, world);
        let own = legacyChat(world.session);
        for (const [count, random] of actions.entries()) {
          for (const action of asHost(world, random, name, count)) {
            world.apply(action);
            if (count >= cut) missed.push(action);
          }
          if (count < cut) replica = new Replica(version, world);
          if (count < cut) own = legacyChat(world.session);
        }
        const changes = missed.map((action) => world.replayed(action));
        const isReplayed = changes.every((change) => down.isReplayable(change, world.directory));
        if (!isReplayed || (down.mergesChats && legacyChat(world.session) !== own)) return;
        for (const [index, change] of changes.entries()) {
          const translated = down.change(change, world.directory).flatMap((one) => ('action' in one ? [one] : []));
          expect(translated.length).toBeLessThanOrEqual(reservedNumbers(missed[index] as StateAction, world.chat));
          for (const one of translated) replica.apply(one.action);
        }
        replica.expectEqual(world);
      }),
      { numRuns: RUNS },
    );
  });

  it.each(['changeset', 'terminal', 'annotations', 'root'] as const)(
    'and then reducing is the same as reducing and then translating: %s',
    (kind) => {
      const shown = (state: ChannelStates[typeof kind]) =>
        shownState(version, { kind, uri: 'x:/x', state } as Subject, new World().directory);
      if (!shown(STATES[kind])) return;
      fc.assert(
        fc.property(fc.array(anyAction(kind).map(withUniqueIds), { minLength: 1, maxLength: 15 }), (actions) => {
          const { directory } = new World();
          let state: ChannelStates[typeof kind] = STATES[kind];
          let replica = shown(state) ?? {};
          for (const action of actions) {
            const before = state;
            state = reduce(kind, state as never, action as never, { now: () => 0 });
            const change = { channel: 'x:/x', kind, action, before, after: state };
            const translated = down.change(change, directory).flatMap((one) => ('action' in one ? [one] : []));
            expect(translated.length).toBeLessThanOrEqual(reservedNumbers(action, before));
            for (const one of translated) {
              expectKnown(version, one.action);
              replica = reduceLegacy(name, kind, replica, withoutTarget(one.action));
            }
            expect(comparableLegacy(name, kind, replica)).toEqual(comparableLegacy(name, kind, shown(state) ?? {}));
          }
        }),
        { numRuns: RUNS },
      );
    },
  );
});

const STATES: Pick<ChannelStates, 'changeset' | 'terminal' | 'annotations' | 'root'> = {
  changeset: { status: 'computing', files: [] },
  terminal: { title: '', content: [], lifecycle: { status: 'running' }, claim: { kind: 'client', clientId: 'c' } },
  annotations: { annotations: [] },
  root: { agents: [] },
};

/** No host lists two files or operations with one id. */
function withUniqueIds(action: StateAction): StateAction {
  return {
    ...action,
    ...('files' in action &&
      typeof action.files[0] === 'object' && { files: unique(action.files as { id: string }[]) }),
    ...('operations' in action && action.operations && { operations: unique(action.operations) }),
  } as StateAction;
}

/** The first version names in an action what it is about. */
function withoutTarget({ terminal: _, ...action }: WireObject): WireObject {
  return action;
}
