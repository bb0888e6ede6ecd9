import { rmSync } from 'node:fs';
import { type Store, StoreError } from '@moorage/host';
import {
  type AnnotationsState,
  annotationsUri,
  type ChangesetState,
  type ChatState,
  changesetUri,
  openRequests,
  ROOT_URI,
  type RootState,
  type SessionState,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, chatState, endedIn, PATIENT, shownIn, startTurn, textOf, turn } from '../support/actions.js';
import { FailingStore } from '../support/failing-store.js';
import { comparable, Fold } from '../support/fold.js';
import { LegacyClient } from '../support/legacy/client.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

const DAY_MS = 24 * 3_600_000;

let store: FailingStore;
let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
const more: TestHost[] = [];
beforeEach(async () => {
  store = new FailingStore();
  host = await TestHost.start({ workspaces: workspacesIn, store: store.wrap });
  client = await host.client({ subscriptions: [ROOT_URI] });
  ({ session, chat } = await host.session(client));
});
afterEach(async () => {
  await host.dispose({ expectErrors: /^store\.commit-failed.*disk is full/ });
  for (const other of more.splice(0)) await other.dispose();
});

const listed = async (from = client) =>
  (await from.request('listSessions', { channel: ROOT_URI })).items.map(({ resource }) => resource);
const removed = async (from = client) => (await from.request('listDisposedSessions', { channel: ROOT_URI })).items;
const dispose = (channel = session) => client.request('disposeSession', { channel });
const restore = (channel = session) => client.request('restoreSession', { channel });
const changesOf = (turnId: string) => changesetUri(session, { kind: 'turn', turnId });

/** The files of a changeset, once they are known. */
async function filesOf(uri: string): Promise<ChangesetState['files']> {
  await client.subscribe(uri);
  await expect.poll(async () => (await client.subscribe<ChangesetState>(uri)).status, PATIENT).toBe('ready');
  const { files } = await client.subscribe<ChangesetState>(uri);
  client.peer.notify('unsubscribe', { channel: uri });
  return files;
}

describe('restoreSession', () => {
  it.each([
    ['at once', async () => {}],
    ['after a restart', async () => host.restart()],
    [
      'after the host was killed',
      async () => {
        more.push(host);
        host = await host.afterCrash({ store: store.wrap });
      },
    ],
  ])('brings all of a session back, %s, and it goes on', async (_when, meanwhile) => {
    await turn(client, chat, '/auto on\n/title Kept\n/write kept.txt written before', 'before');
    const second = host.newChatUri();
    await client.request('createChat', { channel: session, chat: second });
    await client.subscribe(second);
    await turn(client, second, '/say in the second chat');
    await accepted(client, session, { type: 'session/defaultChatChanged', defaultChat: second });
    const entries = [{ id: 'e', text: 'Why?' }];
    const annotation = {
      id: 'a',
      origin: { session, turnId: 'before' },
      resource: 'file:///x',
      resolved: false,
      entries,
    };
    await client.subscribe(annotationsUri(session));
    await accepted(client, annotationsUri(session), { type: 'annotations/set', annotation });
    const files = await filesOf(changesOf('before'));
    const everything = async () => ({
      session: await client.subscribe<SessionState>(session),
      chats: [await chatState(client, chat), await chatState(client, second)],
      annotations: await client.subscribe<AnnotationsState>(annotationsUri(session)),
    });
    const had = () => client.subscribe<SessionState>(session).then(({ changesets }) => changesets?.[0]?.files);
    await expect.poll(had, PATIENT).toBe(1);
    const before = await everything();

    await dispose();
    await meanwhile();
    client = await host.client({ subscriptions: [ROOT_URI] });
    expect(await listed()).toEqual([]);
    expect(await removed()).toMatchObject([{ summary: { resource: session, title: 'Kept' } }]);
    expect(await restore()).toBeNull();

    expect(await everything()).toEqual(before);
    expect([await listed(), await removed()]).toEqual([[session], []]);
    expect(await filesOf(changesOf('before'))).toEqual(files);
    const uri = files[0]?.edit.after?.content.uri ?? '';
    expect((await client.request('resourceRead', { channel: ROOT_URI, uri })).data).toBe('written before');
    const turnId = await turn(client, chat, '/auto on\n/write again.txt written after\n/say and on');
    expect(textOf((await chatState(client, chat)).turns.at(-1))).toContain('and on');
    expect((await filesOf(changesOf(turnId))).map(({ id }) => id)).toEqual([expect.stringContaining('again.txt')]);

    await host.restart();
    client = await host.client({ subscriptions: [ROOT_URI] });
    expect((await chatState(client, chat)).turns).toHaveLength(2);
    expect((await client.subscribe<RootState>(ROOT_URI)).activeSessions).toBe(1);
    await dispose();
    expect((await removed()).map(({ summary }) => summary.title)).toEqual(['Kept']);
  });

  it('is announced to all, as a new session is, before anything is said of its chats', async () => {
    const bob = await host.client({ subscriptions: [ROOT_URI] });
    const old = await LegacyClient.connect(host, '0.3.0', { subscribe: [ROOT_URI] });
    await dispose();
    await bob.notification('root/sessionRemoved', (params) => params.session === session);
    const heard = bob.received.length;
    await restore();
    await bob.notification('root/sessionAdded', ({ summary }) => summary.resource === session);
    await bob.sync();
    expect(bob.received.slice(heard).filter((type) => type !== 'root/sessionSummaryChanged')).toEqual([
      'root/sessionAdded',
      'root/activeSessionsChanged',
    ]);
    expect((await bob.subscribe<RootState>(ROOT_URI)).activeSessions).toBe(1);
    await old.sync();
    expect(old.notifications.map(({ method }) => method)).toContain('root/sessionAdded');
    await old.close();
  });

  it('is replayed to who was away when the session went and came back (B-75)', async () => {
    const away = await host.client();
    const known = new Fold('session', { resource: session, ...(await away.snapshot<SessionState>(session)) });
    await away.sync();
    await host.leave(away);
    await dispose();
    await restore();
    const { client: back, result } = await host.reconnect(away, [session, chat]);
    expect(result).toMatchObject({ type: 'replay', missing: [] });
    const actions = result.type === 'replay' ? result.actions : [];
    expect(actions.map(({ action }) => action.type)).toEqual(
      expect.arrayContaining(['session/chatRemoved', 'session/chatAdded', 'session/defaultChatChanged']),
    );
    known.apply(session, actions);
    const now = await back.subscribe<SessionState>(session);
    expect(comparable('session', known.state)).toEqual(comparable('session', now));
    expect(now.defaultChat).toBe(chat);
  });

  it('finds what was under way when the session ended settled, with what it changed', async () => {
    const turnId = startTurn(client, chat, '/auto on\n/write half.txt done\n/ask Go on? | yes | no');
    await shownIn(client, chat, (state) => openRequests(state)[0]);
    await dispose();
    await restore();
    const state = await chatState(client, chat);
    expect([state.activeTurn, openRequests(state)]).toEqual([undefined, []]);
    expect(state.turns.at(-1)).toMatchObject({ id: turnId, state: 'cancelled' });
    const counted = async () => {
      const { items } = await client.request('listSessions', { channel: ROOT_URI });
      return items.find(({ resource }) => resource === session)?.changes?.files;
    };
    await expect.poll(counted, PATIENT).toBe(1);
    expect((await filesOf(changesOf(turnId))).map(({ id }) => id)).toEqual([expect.stringContaining('half.txt')]);
  });

  it('of a session whose folder is gone is that of a session whose folder is gone', async () => {
    await turn(client, chat, '/say hello');
    await dispose();
    rmSync(host.workspace, { recursive: true });
    await restore();
    await client.subscribe(chat);
    const turnId = await turn(client, chat, '/say hello?');
    const { turns } = await chatState(client, chat);
    expect(turns).toHaveLength(2);
    expect(turns.at(-1)).toMatchObject({ id: turnId, ...endedIn({ errorType: 'noFolder' }) });
  });

  it('lists the chats by what they say themselves where an early build did not remember the catalogue', async () => {
    const early = await host.afterCrash({ store: forgetful });
    more.push(early);
    client = await early.client();
    await client.subscribe(chat);
    await turn(client, chat, '/say hello');
    await dispose();
    await restore();
    const state = await client.subscribe<SessionState>(session);
    expect(state).toMatchObject({ defaultChat: chat, chats: [{ resource: chat, title: '' }] });
    expect((await client.subscribe<ChatState>(chat)).turns).toHaveLength(1);
  });
});

describe('what can be restored', () => {
  it('is listed with when it was removed and how long it is kept, the latest removal first', async () => {
    const other = await host.session(client);
    const started = Date.now();
    await dispose();
    await dispose(other.session);
    const items = await removed();
    expect(items.map(({ summary }) => summary.resource)).toEqual(expect.arrayContaining([session, other.session]));
    expect(items.map(({ disposedAt }) => disposedAt)).toEqual(
      items.map((item) => item.disposedAt).sort((a, b) => b - a),
    );
    for (const { disposedAt, keptUntil } of items) {
      expect(disposedAt).toBeGreaterThanOrEqual(started);
      expect(keptUntil - disposedAt).toBe(30 * DAY_MS);
    }
    await accepted(client, ROOT_URI, { type: 'root/configChanged', config: { keepEndedSessionsDays: '7' } });
    for (const { disposedAt, keptUntil } of await removed()) expect(keptUntil - disposedAt).toBe(7 * DAY_MS);
  });

  it('is told to a client of 0.5 in its own words, and not to earlier ones', async () => {
    await dispose();
    const later = await LegacyClient.connect(host, '0.5.0');
    const { items } = await later.request('listDisposedSessions', { channel: ROOT_URI });
    expect(items).toMatchObject([{ summary: { resource: session, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) } }]);
    for (const version of [1, '0.1.0', '0.2.0', '0.3.0'] as const) {
      const old = await LegacyClient.connect(host, version);
      for (const method of ['listDisposedSessions', 'restoreSession']) {
        expect([version, await old.refused(method, { channel: session, session })]).toMatchObject([
          version,
          { code: -32601 },
        ]);
      }
      await old.close();
    }
    expect(await later.request('restoreSession', { channel: session })).toBeNull();
    await later.close();
    expect(await listed()).toEqual([session]);
  });
});

describe('is refused, and changes nothing:', () => {
  it.each([
    ['a session that nobody knows', () => 'ahp-session:/nobody', -32001, 'there is no session ahp-session:/nobody'],
    ['one that was not disposed', () => session, -32003, 'has not been disposed'],
    ['a chat', () => chat, -32602, 'params/channel: expected the URI of a session'],
    ['something else', () => 5, -32602, 'params/channel: expected a string'],
    ['nothing at all', () => undefined, -32602, 'params/channel'],
  ])('%s', async (_what, channel, code, message) => {
    const before = [await listed(), await removed()];
    const heard = client.received.length;
    expect(await client.refused('restoreSession', { channel: channel() })).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    await client.sync();
    expect(client.received).toHaveLength(heard);
    expect([await listed(), await removed()]).toEqual(before);
  });

  it('a chat of a removed session, or a session for a second time', async () => {
    await dispose();
    expect(await client.refused('restoreSession', { channel: chat })).toMatchObject({ code: -32602 });
    const answers = await Promise.allSettled([restore(), restore()]);
    expect(answers).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: -32003 } }]);
    expect((await client.subscribe<SessionState>(session)).chats).toHaveLength(1);
  });

  it.each([
    ['a part is damaged', (inner: Store) => withDamaged(inner, chat), 'moorage recover'],
    ['a part cannot be read', withUnreadable, FailingStore.MESSAGE],
  ])('a session of which %s', async (_what, wrap, message) => {
    await dispose();
    const other = await host.afterCrash({ store: wrap });
    more.push(other);
    client = await other.client({ subscriptions: [ROOT_URI] });
    expect(await client.refused('restoreSession', { channel: session })).toMatchObject({
      code: -32603,
      message: expect.stringContaining(message),
    });
    await client.sync();
    expect(await listed()).toEqual([]);
    expect(await client.refused('subscribe', { channel: session })).toMatchObject({ code: -32001 });
  });

  it('a session whose store fails; what is stored together is one transaction', async () => {
    await turn(client, chat, '/say hello');
    const before = await client.subscribe<SessionState>(session);
    await dispose();
    await client.sync();
    const heard = client.received.length;
    const batches: string[][] = [];
    store.fail(({ disposals = [], log = [], summaries = [] }) => {
      if (disposals.length > 0) batches.push([...log, ...summaries].map((put) => JSON.stringify(put)));
      return true;
    });
    expect(await client.refused('restoreSession', { channel: session })).toMatchObject({ code: -32603 });
    expect(batches).toEqual([[expect.stringContaining('session/chatAdded'), expect.stringContaining(session)]]);
    store.recover();
    await client.sync();
    expect(client.received).toHaveLength(heard);
    expect(await client.refused('subscribe', { channel: session })).toMatchObject({ code: -32001 });
    expect(await client.refused('subscribe', { channel: chat })).toMatchObject({ code: -32008 });
    const killed = await host.afterCrash();
    more.push(killed);
    const after = await killed.client();
    expect([await listed(after), (await removed(after)).length]).toEqual([[], 1]);
    await restore();
    expect(await client.subscribe<SessionState>(session)).toEqual(before);
    expect((await client.subscribe<RootState>(ROOT_URI)).activeSessions).toBe(1);
  });
});

/** A store of a build that did not remember the chats of a session that ends. */
function forgetful(inner: Store): Store {
  const commit: Store['commit'] = ({ documents = [], ...batch }) =>
    inner.commit({ ...batch, documents: documents.filter(({ collection }) => collection !== 'removedChats') });
  return withPart(inner, { commit });
}

/** A store in which one channel of a disposed session cannot be read. */
function withDamaged(inner: Store, uri: string): Store {
  const readDisposed: Store['sessions']['readDisposed'] = (disposed) =>
    inner.sessions
      .readDisposed(disposed)
      .map((channel) => (channel.uri === uri ? { ...channel, tail: '{"cut off' } : channel));
  return withPart(inner, { sessions: { ...inner.sessions, readDisposed } });
}

/** A store that fails when it is asked for the chats that a session had. */
function withUnreadable(inner: Store): Store {
  const read: Store['documents']['read'] = (collection, key) => {
    if (collection === 'removedChats') throw new StoreError('unavailable', FailingStore.MESSAGE);
    return inner.documents.read(collection, key);
  };
  return withPart(inner, { documents: { ...inner.documents, read } });
}

function withPart(inner: Store, part: Partial<Pick<Store, 'commit' | 'sessions' | 'documents'>>): Store {
  const { channels, sessions, documents } = inner;
  return {
    get header() {
      return inner.header;
    },
    commit: (batch) => inner.commit(batch),
    channels,
    sessions,
    documents,
    close: () => inner.close(),
    ...part,
  };
}
