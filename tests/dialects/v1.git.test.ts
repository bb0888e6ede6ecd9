import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatState, SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { runTurn, Scenario, startTurn, turnsOf } from '../support/legacy/scenario.js';

let scenario: Scenario;
beforeEach(async () => {
  scenario = await Scenario.start();
});
afterEach(() => scenario.dispose());

type Summary = Record<string, unknown>;

describe('a session of version 1', () => {
  it('has the scheme of its provider there, and a URI of ours everywhere else', async () => {
    const old = await scenario.connect(1);
    await old.request('createSession', { session: 'demo:/abc' });
    const snapshot = await old.attach('demo:/abc');
    expect(snapshot.summary).toMatchObject({ resource: 'demo:/abc', provider: 'demo' });
    const native = await scenario.host.client();
    const state = await native.subscribe<SessionState>('ahp-session:/abc');
    expect(state.annotations?.resource).toBe('ahp-session:/abc/annotations');
    expect(((await old.request('listSessions')).items as Summary[]).map((item) => item.resource)).toEqual([
      'demo:/abc',
    ]);
    expect(await old.refused('createSession', { session: 'demo:/abc' })).toMatchObject({ code: -32003 });
    expect(await native.refused('createSession', { channel: 'demo:/abc' })).toMatchObject({ code: -32003 });
    expect(await old.refused('createSession', { session: 'nobody:/x' })).toMatchObject({ code: -32002 });
  });

  it('keeps a URI of another scheme for everybody when its provider is named', async () => {
    const old = await scenario.connect(1);
    await old.request('createSession', { session: 'copilot:/abc', provider: 'demo', model: 'script' });
    expect((await old.attach('copilot:/abc')).summary).toMatchObject({
      resource: 'copilot:/abc',
      model: { id: 'script' },
    });
    const native = await scenario.host.client();
    expect((await native.subscribe<SessionState>('copilot:/abc')).annotations?.resource).toContain('copilot:/abc');
  });

  it('is forked, read and ended', async () => {
    const old = await scenario.connect(1);
    const place = await scenario.create(old);
    await runTurn(place, '/say one', 'one');
    await runTurn(place, '/say two', 'two');
    const page = await old.request('fetchTurns', { session: place.session, limit: 1 });
    expect(page).toMatchObject({ turns: [{ id: 'two', userMessage: { text: '/say two' } }], hasMore: true });
    const fork = { session: place.session, turnId: 'one' };
    await old.request('createSession', { session: 'demo:/fork', fork });
    expect((await old.attach('demo:/fork')).turns).toMatchObject([{ id: 'one' }]);
    expect(await old.refused('fetchTurns', { session: 'demo:/nothing' })).toMatchObject({ code: -32001 });
    await old.request('disposeSession', { session: 'demo:/fork' });
    expect(await old.refused('subscribe', { resource: 'demo:/fork' })).toMatchObject({ code: -32001 });
    await old.request('disposeSession', { session: 'demo:/fork' }); // already gone (V-42)
  });

  it('tells of everything in a notification of one name, to everybody', async () => {
    const [subscribed, bare] = [await scenario.connect(1, ['agenthost:/root']), await scenario.connect(1)];
    const { session } = await scenario.create(bare, 'listed');
    await bare.act(session, { type: 'session/titleChanged', title: 'Renamed' });
    await bare.request('disposeSession', { session });
    for (const client of [subscribed, bare]) {
      await client.until(
        () => (types(client.notifications).includes('notify/sessionRemoved') ? true : undefined),
        'the end',
      );
      const told = client.notifications.map(({ params }) => params.notification as Record<string, unknown>);
      expect(client.notifications.every(({ method }) => method === 'notification')).toBe(true);
      expect(told.find((one) => one.type === 'notify/sessionAdded')).toMatchObject({ summary: { resource: session } });
      expect(told.find((one) => one.type === 'notify/sessionRemoved')).toEqual({
        type: 'notify/sessionRemoved',
        session,
      });
      const changed = told.filter((one) => one.type === 'notify/sessionSummaryChanged');
      expect(changed.map((one) => one.session)).toEqual(changed.map(() => session));
      expect(changed.some((one) => (one.changes as Summary).title === 'Renamed')).toBe(true);
    }
    expect(bare.envelopes.some(({ action }) => action.type.startsWith('root/'))).toBe(false);
    expect(subscribed.state('agenthost:/root').activeSessions).toBe(0);
  });

  it.each(['demo:/abc', 'copilot:/abc'])('shows what the turns of %s changed as its diffs', async (session) => {
    await scenario.dispose();
    scenario = await Scenario.start({ changesets: true });
    const old = await scenario.connect(1);
    await old.request('createSession', { session, provider: 'demo', workingDirectory: scenario.host.workspaceUri });
    await old.attach(session);
    const place = { client: old, session, conversation: session };
    await runTurn(place, '/auto on\n/write new.txt one line\n/write other.txt two');
    const files = () => {
      const { diffs } = old.state(place.session).summary as { diffs?: { after?: { uri: string } }[] };
      return diffs?.map((diff) => diff.after?.uri.split('/').at(-1));
    };
    await expect.poll(files, PATIENT).toEqual(['new.txt', 'other.txt']);
    expect(readFileSync(join(scenario.host.workspace, 'other.txt'), 'utf8')).toContain('two');
    const told = old.notifications.map(({ params }) => params.notification as { changes?: Summary; session?: string });
    expect(told.find((one) => one.changes?.diffs)).toMatchObject({ session: place.session });
    const later = await scenario.connect(1);
    const shown = () => later.attach(place.session).then((state) => (state.summary as Summary).diffs);
    await expect.poll(shown, PATIENT).toHaveLength(2);
  });

  it('can be renamed, archived, marked and given a model', async () => {
    const old = await scenario.connect(1);
    const { session } = await scenario.create(old);
    for (const action of [
      { type: 'session/titleChanged', title: 'Old' },
      { type: 'session/isReadChanged', isRead: true },
      { type: 'session/isDoneChanged', isDone: true },
      { type: 'session/modelChanged', model: { id: 'script' } },
    ]) {
      const echo = await old.act(session, action);
      expect(echo).toMatchObject({ action: { ...action, session }, origin: { clientId: old.clientId } });
      expect(echo.rejectionReason).toBeUndefined();
    }
    const native = await scenario.host.client();
    const state = await native.subscribe<SessionState>(session.replace('demo:', 'ahp-session:'));
    expect(state).toMatchObject({ title: 'Old', status: 1 + 32 + 64 });
    const { draft } = await native.subscribe<ChatState>(state.defaultChat ?? '');
    expect(draft?.model).toEqual({ id: 'script' });
    const asText = await old.act(session, { type: 'session/modelChanged', model: 'script' });
    expect(asText.rejectionReason).toBeUndefined(); // as the documents of that version show it
    const late = await scenario.connect(1);
    expect((await late.attach(session)).summary).toMatchObject({ title: 'Old', status: 1 + 32 + 64 });
  });

  it('takes attachments of both eras and shows them in its own', async () => {
    const old = await scenario.connect(1);
    const place = await scenario.create(old);
    const attachments = [
      { type: 'file', path: '/a b/c.txt' },
      { type: 'selection', uri: 'file:///d.txt', displayName: 'some lines' },
      { type: 'resource', uri: 'file:///e', label: 'tagged', displayKind: 'directory' },
      { type: 'simple', label: 'lost' },
    ];
    const userMessage = { text: '/say ok', attachments };
    const action = { type: 'session/turnStarted', turnId: 't', userMessage };
    const echo = await old.act(place.session, action);
    expect(echo.action).toEqual({ ...action, session: place.session });
    const native = await scenario.host.client();
    const state = await native.subscribe<SessionState>(place.session.replace('demo:', 'ahp-session:'));
    const chat = await native.subscribe<ChatState>(state.defaultChat ?? '');
    const message = chat.activeTurn?.message ?? chat.turns[0]?.message;
    expect(message?.attachments).toEqual([
      { type: 'resource', uri: 'file:///a%20b/c.txt', label: 'c.txt', displayKind: 'document' },
      { type: 'resource', uri: 'file:///d.txt', label: 'some lines', displayKind: 'selection' },
      { type: 'resource', uri: 'file:///e', label: 'tagged', displayKind: 'directory' },
      { type: 'simple', label: 'lost' },
    ]);
    const late = await scenario.connect(1);
    const turns = await late.attach(place.session);
    const shown = ((turns.activeTurn ?? (turns.turns as object[])[0]) as { userMessage: { attachments: object[] } })
      .userMessage;
    expect(shown.attachments).toEqual([
      { type: 'file', uri: 'file:///a%20b/c.txt', path: 'file:///a%20b/c.txt', displayName: 'c.txt' },
      { type: 'selection', uri: 'file:///d.txt', path: 'file:///d.txt', displayName: 'some lines' },
      { type: 'directory', uri: 'file:///e', path: 'file:///e', displayName: 'tagged' },
    ]);
  });

  it('refuses and ignores what it must', async () => {
    const old = await scenario.connect(1);
    const place = await scenario.create(old);
    const { session } = place;
    const turnId = startTurn(place, '/wait 60000');
    for (const action of [
      { type: 'session/turnStarted', turnId: 'second', userMessage: { text: 'x' } },
      { type: 'session/turnStarted', turnId: 'third', userMessage: 7 },
      { type: 'session/turnStarted', turnId: 'fourth' },
      { type: 'session/delta', turnId, partId: 'p', content: 'x' },
      { type: 'session/diffsChanged', diffs: [] },
      { type: 'session/customizationToggled', uri: 'file:///nothing', enabled: true },
      { type: 'session/agentChanged', agent: { uri: 'x' } },
      { type: 'chat/turnCancelled', turnId },
      { type: 'session/defaultChatChanged', defaultChat: 'ahp-chat:/x' },
      { type: 'no/such' },
    ]) {
      const echo = await old.act(session, action);
      expect([action, echo.rejectionReason]).toEqual([action, expect.any(String)]);
      expect(echo.action).toEqual({ ...action, session });
    }
    const count = old.envelopes.length;
    old.dispatch('demo:/unknown', { type: 'session/titleChanged', title: 'x' });
    old.peer.notify('dispatchAction', { clientSeq: 1000, action: { type: 'session/titleChanged', title: 'x' } });
    old.peer.notify('dispatchAction', { clientSeq: 1001, action: 'nonsense' });
    await old.sync();
    expect(old.envelopes).toHaveLength(count);
    await old.act(session, { type: 'session/turnCancelled', turnId });
    expect(turnsOf(place)).toMatchObject([{ id: turnId, state: 'cancelled' }]);
    for (const resource of ['ahp-chat:/x', 'demo:/x', 'nonsense', 'ahp-changeset:/x/changeset/session']) {
      expect(await old.refused('subscribe', { resource })).toMatchObject({ code: -32001 });
    }
  });

  it('is followed no longer once it was let go', async () => {
    const [old, other] = [await scenario.connect(1, ['agenthost:/root']), await scenario.connect('0.3.0')];
    const place = await scenario.create(old);
    const elsewhere = await scenario.followToo(other, place);
    old.peer.notify('unsubscribe', { resource: place.session });
    old.peer.notify('unsubscribe', { resource: 'agenthost:/root' });
    await old.sync();
    const count = old.envelopes.length;
    await runTurn(elsewhere, '/say not for you');
    await scenario.create(other);
    await old.sync();
    expect(old.envelopes).toHaveLength(count);
    expect(types(old.notifications)).toContain('notify/sessionAdded');
  });

  it('says errors as version 1 does', async () => {
    const old = await scenario.connect(1);
    const later = await scenario.connect('0.2.0');
    const outside = { workingDirectory: 'file:///' };
    const refusedOld = await old.refused('createSession', { session: 'demo:/x', ...outside });
    expect([refusedOld.code, refusedOld.data]).toEqual([-32009, undefined]);
    const refused = await later.refused('createSession', { channel: 'ahp-session:/x', ...outside });
    expect([refused.code, refused.data]).toEqual([-32009, {}]);
  });
});

function types(notifications: readonly { params: Record<string, unknown> }[]): unknown[] {
  return notifications.map(({ params }) => (params.notification as { type: string }).type);
}
