import { supportedRanges as supportedVersions } from '@moorage/protocol/versions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import type { Envelope, LegacyClient, Version } from '../support/legacy/client.js';
import { type Place, runTurn, Scenario, turnsOf, VERSIONS, WITHOUT_CHATS } from '../support/legacy/scenario.js';

let scenario: Scenario;
beforeEach(async () => {
  scenario = await Scenario.start();
});
afterEach(() => scenario.dispose());

const ask = async (params: object) => {
  const client = await scenario.open('0.4.0');
  return { client, answer: client.peer.request('initialize', { clientId: client.clientId, ...params }) };
};

describe('the version of a client', () => {
  it.each([
    [{ protocolVersion: 1 }, 1],
    [{ protocolVersion: 7 }, 1],
    [{ protocolVersion: '0.3.4' }, '0.3.4'],
    [{ protocolVersions: ['0.1.0'] }, '0.1.0'],
    [{ protocolVersions: ['0.2.9', '0.4.0'] }, '0.2.9'],
    [{ protocolVersions: ['7.0.0', '0.8.0', '0.9.0', '0.5.0'] }, '0.9.0'],
    [{ protocolVersions: ['0.4.0', '0.3.0'], channel: 'ahp-root://' }, '0.4.0'],
    [{ protocolVersions: ['0.3.0'], protocolVersion: 1 }, '0.3.0'],
  ])('%j is answered with %j', async (offer, protocolVersion) => {
    const { answer } = await ask(offer);
    expect(await answer).toMatchObject({ protocolVersion });
  });

  it.each([
    { protocolVersion: 0 },
    { protocolVersions: ['0.8.0'] },
    { protocolVersions: [] },
    { protocolVersions: ['2.0.0'] },
  ])('%j is refused, and the connection ends', async (offer) => {
    const { client, answer } = await ask(offer);
    await expect(answer).rejects.toMatchObject({ code: -32005, data: { supportedVersions } });
    expect((await client.closed).code).toBe(4002);
  });

  it.each([
    {},
    { protocolVersion: true },
    { protocolVersions: 'x' },
    { protocolVersions: [7] },
    { protocolVersions: ['1'] },
    { protocolVersions: ['nonsense', '0.5.0'] },
  ])('%j is not an offer', async (offer) => {
    const { answer } = await ask(offer);
    await expect(answer).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('protocolVersion') });
  });

  it.each(VERSIONS)('%s gets the snapshots it asked for under the names it used', async (version) => {
    const first = await scenario.connect(version);
    const { session } = await scenario.create(first);
    const client = await scenario.open(version);
    const asked = ['agenthost:/root', 'ahp-root://', session, `${session}-unknown`, 'nonsense'];
    const result = await client.initialize(asked);
    const resources = (result.snapshots as { resource: string }[]).map((snapshot) => snapshot.resource);
    expect(resources).toEqual(['agenthost:/root', 'ahp-root://', session]);
    const since = version === 1 ? [] : ['completionTriggerCharacters'];
    const always = ['defaultDirectory', 'protocolVersion', 'serverSeq', 'snapshots'];
    const added = client.since('0.9.0') ? ['_meta', 'automations'] : [];
    expect(Object.keys(result).sort()).toEqual([...added, ...since, ...always]);
  });

  it.each([1, '0.1.0', '0.2.0', '0.3.0'] as const)('%s is refused what it does not have', async (version) => {
    const client = await scenario.connect(version);
    const { session } = await scenario.create(client);
    const chat = { channel: session, chat: 'ahp-chat:/x' };
    expect(await client.refused('createChat', chat)).toMatchObject({ code: -32601 });
    expect(await client.refused('disposeChat', chat)).toMatchObject({ code: -32601 });
    if (version === 1) expect(await client.refused('completions', {})).toMatchObject({ code: -32601 });
    expect(await client.request('ping', {})).toBeNull();
  });
});

describe('a client that comes back', () => {
  const back = async (client: LegacyClient, subscriptions: string[]) => {
    const next = await scenario.open(client.version, client);
    for (const [uri, fold] of client.folds) next.folds.set(uri, fold);
    return { next, result: await next.reconnect(subscriptions, client.lastSeq) };
  };

  it.each(VERSIONS)('speaks %s as before, also after a restart of the host', async (version) => {
    const client = await scenario.connect(version);
    await client.attach(client.root);
    const place = await scenario.create(client);
    await runTurn(place, '/say one', 'one');
    await client.close();
    await scenario.host.restart();
    const subscriptions = [...new Set([place.session, place.conversation])];
    const { next, result } = await back(client, subscriptions);
    expect(['replay', 'snapshot']).toContain(result.type);
    expect('missing' in result).toBe(result.type === 'replay' && version !== 1);
    const again = { ...place, client: next };
    await runTurn(again, '/say two', 'two');
    expect(turnsOf(again).map((turn) => turn.id)).toEqual(['one', 'two']);
    const fresh = await scenario.connect(version);
    const now = await scenario.followToo(fresh, place);
    expect(next.comparable(now.conversation)).toEqual(fresh.comparable(now.conversation));
  });

  it.each(['0.2.0', '0.3.0', '0.4.0', '0.5.0'] as const)('is replayed in %s what it missed', async (version) => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    const other = await scenario.connect('0.4.0');
    const elsewhere = await scenario.followToo(other, place);
    await runTurn(place, '/say hello', 'seen');
    await other.sync();
    await client.close();
    await runTurn(elsewhere, '/think about it\n/say good bye\n/title Renamed', 'missed');
    await other.act(elsewhere.session, { type: 'session/isReadChanged', isRead: true });
    const subscriptions = [...new Set([place.session, place.conversation])];
    const { next, result } = await back(client, subscriptions);
    expect(result.type).toBe('replay');
    const fresh = await scenario.connect(version);
    await scenario.followToo(fresh, place);
    for (const uri of subscriptions) expect(next.comparable(uri)).toEqual(fresh.comparable(uri));
  });

  describe('in 0.5.0 is replayed', () => {
    const claim = (clientId: string, ...tools: string[]) => ({
      type: 'session/activeClientSet',
      activeClient: { clientId, tools: tools.map((name) => ({ name })) },
    });
    const expectReplay = async (client: LegacyClient, place: Place) => {
      const { next, result } = await back(client, [place.session, place.conversation]);
      expect(result.type).toBe('replay');
      const fresh = await scenario.connect('0.5.0');
      await scenario.followToo(fresh, place);
      expect(next.comparable(place.session)).toEqual(fresh.comparable(place.session));
      return (result.actions as Envelope[]).map(({ action }) => action);
    };

    it('that it is no longer the active client, which its own disconnect brought about', async () => {
      const client = await scenario.connect('0.5.0');
      const place = await scenario.create(client);
      await client.act(place.session, claim(client.clientId, 'tool'));
      await client.close();
      const actions = await expectReplay(client, place);
      expect(actions).toEqual([{ type: 'session/activeClientRemoved', clientId: client.clientId }]);
    });

    it('that it is no longer the active client, which a restart of the host brought about', async () => {
      const client = await scenario.connect('0.5.0');
      const place = await scenario.create(client);
      await client.act(place.session, claim(client.clientId, 'tool'));
      await scenario.host.restart();
      const actions = await expectReplay(client, place);
      expect(actions).toContainEqual({ type: 'session/activeClientRemoved', clientId: client.clientId });
    });

    it('who was active while it was away', async () => {
      const client = await scenario.connect('0.5.0');
      const place = await scenario.create(client);
      await client.act(place.session, claim(client.clientId, 'tool'));
      await client.close();
      const other = await scenario.connect('0.4.0');
      const elsewhere = await scenario.followToo(other, place);
      const act = (action: object) => other.act(elsewhere.session, action as never);
      const activeClient = { clientId: other.clientId, tools: [{ name: 'one' }] };
      await expect
        .poll(async () => (await act({ type: 'session/activeClientChanged', activeClient })).rejectionReason, PATIENT)
        .toBeUndefined();
      await act({ type: 'session/activeClientToolsChanged', tools: [{ name: 'two' }] });
      const actions = await expectReplay(client, place);
      expect(actions.map(({ type }) => type)).toEqual([
        'session/activeClientRemoved',
        'session/activeClientSet',
        'session/activeClientSet',
      ]);
    });
  });

  it.each(VERSIONS)('is told in %s what is gone', async (version) => {
    const client = await scenario.connect(version);
    const kept = await scenario.create(client);
    const gone = await scenario.create(client);
    await client.close();
    const other = await scenario.connect('0.4.0');
    const { session } = await scenario.followToo(other, gone);
    await other.request('disposeSession', { channel: session });
    const { result } = await back(client, [kept.session, gone.session]);
    if (result.type === 'replay') expect(result.missing ?? []).toEqual(version === 1 ? [] : [gone.session]);
    else expect((result.snapshots as { resource: string }[]).map((s) => s.resource)).toEqual([kept.session]);
  });

  it('gets its own words in the replay', async () => {
    const client = await scenario.connect('0.2.0');
    const place = await scenario.create(client);
    const attachments = [{ type: 'simple', label: 'note', modelRepresentation: 'x', somethingNew: 1 }];
    const userMessage = { text: '/say hi', attachments, another: true };
    const lastSeen = client.lastSeq;
    await client.act(place.session, { type: 'session/turnStarted', turnId: 't', userMessage });
    await client.close();
    const next = await scenario.open('0.2.0', client);
    next.folds.set(place.session, { kind: 'session', state: {} });
    const result = (await next.peer.request('reconnect', {
      channel: 'ahp-root://',
      clientId: client.clientId,
      lastSeenServerSeq: lastSeen,
      subscriptions: [place.session],
    })) as { type: string; actions: { action: object; origin?: object }[] };
    expect(result.actions.find(({ origin }) => origin)?.action).toEqual({
      type: 'session/turnStarted',
      turnId: 't',
      userMessage,
    });
  });

  it.each(VERSIONS)('as a new object that counts from 1 again, in %s, is heard (OQ-23)', async (version) => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    const beginning = client.lastSeq;
    const subscriptions = [...new Set([place.session, place.conversation])];
    const comeBack = async (lastSeen: number) => {
      const next = await scenario.open(version, { clientId: client.clientId, clientSeq: 0 });
      for (const [uri, { kind, state }] of client.folds) next.folds.set(uri, { kind, state });
      return { next, result: await next.reconnect(subscriptions, lastSeen) };
    };
    await runTurn(place, '/say one', 'one');
    await client.close();
    const { next } = await comeBack(client.lastSeq);
    await runTurn({ ...place, client: next }, '/say two', 'two');
    expect(turnsOf({ ...place, client: next }).map((turn) => turn.id)).toEqual(['one', 'two']);
    await next.close();
    const { result } = await comeBack(beginning);
    if (result.type !== 'replay') return; // then there are no words of its own
    const own = (result.actions as Envelope[]).filter(({ origin }) => origin?.clientId === client.clientId);
    expect(own.map(({ action, origin }) => [action.turnId, origin?.clientSeq])).toEqual([
      ['one', 1],
      ['two', 1],
    ]);
  });

  it.each(['0.2.0', '0.5.0'] as const)('gets each of its actions back as it sent it, in %s', async (version) => {
    const client = await scenario.connect(version);
    const { session } = await scenario.create(client);
    const actions = ['one', 'two'].map((title) => ({ type: 'session/titleChanged', title, [title]: true }));
    for (const action of actions) client.peer.notify('dispatchAction', { channel: session, clientSeq: 0, action });
    await client.sync();
    const echoes = client.envelopes.filter(({ origin }) => origin !== undefined);
    expect(echoes.map(({ action }) => action)).toEqual(actions);
  });

  it('gets a message with a large picture back as it sent it, although the host keeps the picture elsewhere', async () => {
    const client = await scenario.connect('0.5.0');
    const { conversation } = await scenario.create(client);
    const picture = { type: 'embeddedResource', label: 'p.png', contentType: 'image/png', data: 'A'.repeat(100_000) };
    const message = { text: '/say hi', origin: { kind: 'user' }, attachments: [picture] };
    const action = { type: 'chat/turnStarted', turnId: 'with-picture', message };
    client.peer.notify('dispatchAction', { channel: conversation, clientSeq: 1, action });
    await client.sync();
    const echoes = client.envelopes.filter(({ origin }) => origin !== undefined);
    expect(echoes.map((echo) => echo.action)).toEqual([action]);
  });

  it('and is unknown speaks version 1 when it names no channels', async () => {
    const client = await scenario.connect(1);
    const { session } = await scenario.create(client);
    const stranger = await scenario.open(1);
    const result = await stranger.reconnect([session], 0);
    expect(result).toMatchObject({ type: 'snapshot', snapshots: [{ resource: session }] });
    expect(stranger.state(session).turns).toEqual([]);
  });

  it.each(['0.2.0', '0.3.0'] as Version[])(
    'and is unknown in %s can initialize on the same connection',
    async (version) => {
      const first = await scenario.connect(version);
      const { session } = await scenario.create(first);
      const stranger = await scenario.open(version);
      await expect(stranger.reconnect([session], 0)).rejects.toMatchObject({ code: -32008 });
      await stranger.initialize([session]);
      expect(WITHOUT_CHATS).toContain(version);
      expect(stranger.state(session).turns).toEqual([]);
    },
  );
});
