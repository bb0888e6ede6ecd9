import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChannelKind, type ChannelStates, reduce, type StateAction } from '../../src/index.js';
import {
  type DialectName,
  type Directory,
  dialectOf,
  legacyChat,
  reservedNumbers,
  type Subject,
  type WireObject,
} from '../../src/versions/index.js';
import { shapeProblem } from '../support/shapes.js';
import { comparableLegacy } from '../support/versions/comparable.js';
import { anyAction, conversation } from '../support/versions/conversation.js';
import { reduceLegacy } from '../support/versions/reduce.js';
import { asHost, unique, World } from '../support/versions/world.js';

const RUNS = Number(process.env.COMMUTE_RUNS ?? 100);
const VERSIONS = [1, '0.1.0', '0.2.0', '0.3.0', '0.4.0', '0.5.0', '0.5.1', '0.5.2', '0.6.0', '0.7.0', '0.9.0'] as const;

describe.each(VERSIONS)('translating to %s', (version) => {
  const { name, down } = dialectOf(version) ?? {};
  if (!name || !down) throw new Error(`${version} is not translated`);

  it('and then reducing is the same as reducing and then translating: sessions and chats', () => {
    fc.assert(
      fc.property(conversation, (actions) => {
        const world = new World();
        let replica = new Replica(world);
        for (const [count, random] of actions.entries()) {
          for (const action of asHost(world, random, name, count)) {
            const [own, before] = [legacyChat(world.session), replica];
            const change = world.apply(action);
            if (down.mergesChats && legacyChat(world.session) !== own) {
              replica = new Replica(world); // a client gets a snapshot then
              continue;
            }
            const translated = down.change(change, world.directory).flatMap((one) => ('action' in one ? [one] : []));
            expect(translated.length).toBeLessThanOrEqual(reservedNumbers(action, change.before));
            for (const one of translated) before.apply(known(one.action));
            if (action.type === 'chat/turnResume') replica.takeTime(world);
          }
          replica.expectEqual(world);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each(['changeset', 'terminal', 'annotations', 'root'] as const)(
    'and then reducing is the same as reducing and then translating: %s',
    (kind) => {
      if (!shown({ kind, uri: 'x:/x', state: STATES[kind] } as Subject, new World().directory)) return;
      fc.assert(
        fc.property(fc.array(anyAction(kind).map(withUniqueIds), { minLength: 1, maxLength: 15 }), (actions) => {
          const { directory } = new World();
          let state: ChannelStates[typeof kind] = STATES[kind];
          const truth = () => shown({ kind, uri: 'x:/x', state } as Subject, directory) ?? {};
          let replica = truth();
          for (const action of actions) {
            const before = state;
            state = reduce(kind, state as never, action as never, { now: () => 0 });
            const change = { channel: 'x:/x', kind, action, before, after: state };
            const translated = down.change(change, directory).flatMap((one) => ('action' in one ? [one] : []));
            expect(translated.length).toBeLessThanOrEqual(reservedNumbers(action, before));
            for (const one of translated) replica = reduceLegacy(name, kind, replica, withoutTarget(known(one.action)));
            expect(comparableLegacy(name, kind, replica)).toEqual(comparableLegacy(name, kind, truth()));
          }
        }),
        { numRuns: RUNS },
      );
    },
  );

  class Replica {
    session: WireObject;
    chat: WireObject | undefined;

    constructor(world: World) {
      this.session = shown(world.sessionSubject(down?.mergesChats ?? false), world.directory) ?? {};
      this.chat = down?.mergesChats ? undefined : shown(world.chatSubject(), world.directory);
    }

    apply(action: WireObject): void {
      const kind = String(action.type).startsWith('chat/') ? 'chat' : 'session';
      if (kind === 'session') this.session = reduceLegacy(name as DialectName, kind, this.session, action);
      else if (this.chat) this.chat = reduceLegacy(name as DialectName, kind, this.chat, action);
    }

    /** A turn that is taken up again is no news natively, but it begins anew before 0.9. */
    takeTime({ chat: { modifiedAt } }: World): void {
      if (this.chat) this.chat = { ...this.chat, modifiedAt };
    }

    expectEqual(world: World): void {
      const truth = new Replica(world);
      expect(comparable('session', this.session, truth.session)).toEqual(comparable('session', truth.session));
      if (this.chat && truth.chat) expect(comparable('chat', this.chat)).toEqual(comparable('chat', truth.chat));
    }
  }

  /** A model cannot be taken away before 0.5, so a replica may show one that nobody has chosen any more. */
  function comparable(kind: ChannelKind, state: WireObject, truth = state): unknown {
    const model = (truth.summary as WireObject | undefined)?.model;
    const summary = model === undefined ? { ...(state.summary as WireObject), model: undefined } : state.summary;
    return comparableLegacy(name as DialectName, kind, state.summary === undefined ? state : { ...state, summary });
  }

  /** An action that the version has, with no other members. */
  function known(action: WireObject): WireObject {
    const isOurs = action.type === 'changeset/disposed'; // docs/PROTOCOL.md: beyond the specification
    expect(isOurs ? undefined : shapeProblem(version, 'StateAction', withoutFuture(action))).toBeUndefined();
    return action;
  }

  function shown(subject: Subject, directory: Directory): WireObject | undefined {
    const state = down?.state(subject, directory);
    const problem = state && shapeProblem(version, SHAPES[subject.kind], withoutFuture(state));
    expect(problem).toBeUndefined();
    return state;
  }
});

const SHAPES: { readonly [K in ChannelKind]: string } = {
  root: 'RootState',
  session: 'SessionState',
  chat: 'ChatState',
  terminal: 'TerminalState',
  changeset: 'ChangesetState',
  annotations: 'AnnotationsState',
  resourceWatch: 'ResourceWatchState',
};

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

/** Without the members that no version has; they are passed on. */
function withoutFuture(state: WireObject): unknown {
  return JSON.parse(JSON.stringify(state), (key, value) => {
    if (key === 'future') return undefined;
    if (key !== 'changes' || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)); // null clears (OQ-25)
  });
}

/** The first version names in an action what it is about. */
function withoutTarget({ terminal: _, ...action }: WireObject): WireObject {
  return action;
}
