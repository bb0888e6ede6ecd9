import {
  type ActionOf,
  actionTable,
  type ChangesetState,
  type ChannelKind,
  type ChatState,
  reduce,
  type SessionState,
  SessionStatus,
  type StateAction,
} from '@moorage/protocol';
import {
  type Directory,
  dialectOf,
  legacyChat,
  reservedNumbers,
  type Subject,
  type WireObject,
} from '@moorage/protocol/versions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryOf } from '../packages/protocol/test/support/arbitrary.js';
import { comparableLegacy } from './support/legacy/comparable.js';
import { reduceLegacy } from './support/legacy/reducers.js';

const RUNS = Number(process.env.COMMUTE_RUNS ?? 400);
const VERSIONS = [1, '0.1.0', '0.2.0', '0.3.0', '0.5.0'] as const;
const SESSION = 'ahp-session:/s';
const CHAT = 'ahp-chat:/own';

/** Any action that the schemas allow, of some kinds. */
function anyAction(...kinds: ChannelKind[]): fc.Arbitrary<StateAction> {
  const rows = Object.values(actionTable).filter((row) => kinds.includes(row.kind));
  return fc.oneof(...rows.map((row) => arbitraryOf(row.schema) as fc.Arbitrary<StateAction>));
}

/** Most actions concern the turn that is active; those that come by chance rarely would. */
const conversation = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: anyAction('chat').map((action) => aboutTurn(action)) },
    { weight: 1, arbitrary: anyAction('chat') },
    { weight: 3, arbitrary: anyAction('session') },
  ),
  { minLength: 1, maxLength: 25 },
);

/** No host lists two files or operations with one id. */
function withUniqueIds(action: StateAction): StateAction {
  return {
    ...action,
    ...('files' in action && { files: unique(action.files) }),
    ...('operations' in action && action.operations && { operations: unique(action.operations) }),
  };
}

function unique<T extends { id: string }>(list: readonly T[]): T[] {
  return [...new Map(list.map((entry) => [entry.id, entry])).values()];
}

function aboutTurn(action: StateAction): StateAction {
  return 'turnId' in action ? ({ ...action, turnId: 'a' } as StateAction) : action;
}

describe.each(VERSIONS)('translating to %s', (version) => {
  const dialect = dialectOf(version);
  const down = dialect?.down;
  if (!dialect || !down) throw new Error(`${version} is not spoken`);

  it('and then reducing is the same as reducing and then translating: sessions and chats', () => {
    fc.assert(
      fc.property(conversation, (actions) => {
        const world = new World();
        let legacy = new Legacy(world);
        for (const native of actions) {
          for (const action of withConsequences(world, native, dialect.name)) {
            const own = legacyChat(world.session);
            const change = world.apply(action);
            if (down.mergesChats && legacyChat(world.session) !== own) {
              legacy = new Legacy(world); // a client gets a snapshot then
              continue;
            }
            const told = down.change(change, world.directory).flatMap((one) => ('action' in one ? [one] : []));
            expect(told.length).toBeLessThanOrEqual(reservedNumbers(action));
            for (const one of told) legacy.apply(dialect.name, one.action);
          }
          legacy.expectEqual(world, dialect.name);
        }
      }),
      { numRuns: RUNS },
    );
  });

  class Legacy {
    session: WireObject;
    chat: WireObject | undefined;

    constructor(world: World) {
      this.session = shown(world.sessionSubject(down?.mergesChats ?? false), world.directory);
      this.chat = down?.mergesChats ? undefined : shown(world.chatSubject(), world.directory);
    }

    apply(name: Parameters<typeof reduceLegacy>[0], action: WireObject): void {
      const kind = String(action.type).startsWith('chat/') ? 'chat' : 'session';
      if (kind === 'session') this.session = reduceLegacy(name, kind, { ...this.session }, { ...action });
      else if (this.chat) this.chat = reduceLegacy(name, kind, { ...this.chat }, { ...action });
    }

    expectEqual(world: World, name: Parameters<typeof reduceLegacy>[0]): void {
      const truth = new Legacy(world);
      expect(comparableLegacy(name, 'session', this.session)).toEqual(comparableLegacy(name, 'session', truth.session));
      if (!this.chat || !truth.chat) return;
      expect(comparableLegacy(name, 'chat', this.chat)).toEqual(comparableLegacy(name, 'chat', truth.chat));
    }
  }

  function shown(subject: Subject, directory: Directory): WireObject {
    const state = down?.state(subject, directory);
    if (!state) throw new Error('there is no such state');
    return state;
  }
});

describe.each(['0.2.0', '0.3.0'])('translating to %s', (version) => {
  const dialect = dialectOf(version);
  const down = dialect?.down;
  if (!dialect || !down) throw new Error(`${version} is not spoken`);

  it('and then reducing is the same as reducing and then translating: changesets', () => {
    fc.assert(
      fc.property(fc.array(anyAction('changeset').map(withUniqueIds), { minLength: 1, maxLength: 15 }), (actions) => {
        const { directory } = new World();
        const shown = (native: ChangesetState) => down.state({ kind: 'changeset', state: native }, directory) ?? {};
        let state: ChangesetState = { status: 'computing', files: [] };
        let legacy = shown(state);
        for (const action of actions) {
          const before = state;
          state = reduce('changeset', state, action as ActionOf<'changeset'>, { now: () => 0 });
          const change = { channel: 'ahp-changeset:/x', kind: 'changeset' as const, action, before, after: state };
          const told = down.change(change, directory).flatMap((one) => ('action' in one ? [one] : []));
          expect(told.length).toBeLessThanOrEqual(reservedNumbers(action));
          for (const one of told) legacy = reduceLegacy(dialect.name, 'changeset', { ...legacy }, { ...one.action });
          expect(comparableLegacy(dialect.name, 'changeset', legacy)).toEqual(
            comparableLegacy(dialect.name, 'changeset', shown(state)),
          );
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** A session with its own chat, as a host has them. */
class World {
  session: SessionState = {
    summary: { resource: SESSION, provider: 'p', title: 't', status: 1, createdAt: 0, modifiedAt: 0 },
    lifecycle: 'creating',
    chats: [{ resource: CHAT, title: 'c', status: 1, modifiedAt: '1970-01-01T00:00:00.000Z' }],
    defaultChat: CHAT,
  };
  chat: ChatState = { resource: CHAT, title: 'c', status: 1, modifiedAt: '1970-01-01T00:00:00.000Z', turns: [] };

  readonly directory: Directory = {
    defaultDirectory: undefined,
    resolve: (uri) => uri,
    providerOf: () => 'p',
    session: () => this.session,
    chat: () => this.chat,
    sessionOfChat: () => this.session,
  };

  apply(action: StateAction) {
    const isChat = action.type.startsWith('chat/');
    const before = isChat ? this.chat : this.session;
    if (isChat) this.chat = reduce('chat', this.chat, action as ActionOf<'chat'>, { now: () => 0 });
    else this.session = reduce('session', this.session, action as ActionOf<'session'>, { now: () => 0 });
    return {
      channel: isChat ? CHAT : SESSION,
      kind: isChat ? ('chat' as const) : ('session' as const),
      action,
      before,
      after: isChat ? this.chat : this.session,
      session: this.session,
    };
  }

  sessionSubject(merged: boolean): Subject {
    const own = merged && legacyChat(this.session) === CHAT ? this.chat : undefined;
    return { kind: 'session', state: this.session, chat: own };
  }

  chatSubject(): Subject {
    return { kind: 'chat', state: this.chat, session: this.session };
  }
}

/** What a host does besides, and what it takes care of not to do. */
function withConsequences(world: World, action: StateAction, name: string): StateAction[] {
  const isEarly = name === 'v1' || name === '0.1';
  if (action.type === 'session/ready' && isEarly && world.chat.status !== SessionStatus.Idle) return [];
  const news = action.type === 'chat/turnStarted' || action.type === 'chat/inputRequested';
  const isRead = (world.session.summary.status & SessionStatus.IsRead) !== 0;
  return news && isRead ? [action, { type: 'session/isReadChanged', isRead: false }] : [action];
}
