import type { Store } from '@moorage/host';
import { type ActionEnvelope, type ReconnectReplayResult, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTurn, turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let store: Store;
beforeEach(async () => {
  host = await TestHost.start({
    store: (opened) => {
      store = opened;
      return opened;
    },
  });
});
afterEach(() => host.dispose());

/** Alice, who will go away, and Bob, who stays; both follow a session, its chat and the root channel. */
async function aliceAndBob() {
  const alice = await host.client({ subscriptions: [ROOT_URI] });
  const bob = await host.client({ subscriptions: [ROOT_URI] });
  const { session, chat } = await host.session(alice);
  await bob.subscribe(session);
  await bob.subscribe(chat);
  await alice.sync();
  return { alice, bob, session, chat, all: [ROOT_URI, session, chat] };
}

async function replayTo(client: WireClient, subscriptions: string[], lastSeen?: number) {
  const back = await host.reconnect(client, subscriptions, lastSeen);
  expect(back.result.type).toBe('replay');
  return { client: back.client, ...(back.result as ReconnectReplayResult) };
}

describe('a replay', () => {
  it('holds what was missed on every channel, in order, inside the answer (B-74, B-75, V-8)', async () => {
    const { alice, bob, session, chat, all } = await aliceAndBob();
    const { lastSeen } = alice;
    await alice.close();
    await turn(bob, chat, '/think hm\n/say one two three\n/usage 1 2');
    await bob.act(session, { type: 'session/titleChanged', title: 'Renamed' });
    await host.session(bob);
    await bob.action(ROOT_URI, 'root/activeSessionsChanged', 2);
    const { client, actions, missing } = await replayTo(alice, all);
    expect(actions).toEqual(bob.envelopes.filter((e) => e.serverSeq > lastSeen && all.includes(e.channel)));
    expect(new Set(actions.map((envelope) => envelope.channel))).toEqual(new Set(all));
    expect(missing).toEqual([]);
    expect(client.envelopes).toEqual([]);
  });

  it('is empty when nothing was missed, and the channels are live again (B-79)', async () => {
    const { alice, bob, session, all } = await aliceAndBob();
    await alice.close();
    const { client, actions } = await replayTo(alice, [...all, session]);
    expect(actions).toEqual([]);
    const echo = await bob.act(session, { type: 'session/titleChanged', title: 'Live' });
    expect(await client.envelope((envelope) => envelope.channel === session)).toEqual(echo);
    await client.sync();
    expect(client.envelopes.filter((envelope) => envelope.serverSeq === echo.serverSeq)).toHaveLength(1);
  });

  it('covers only the channels that were asked for', async () => {
    const { alice, bob, session, chat } = await aliceAndBob();
    await alice.close();
    await turn(bob, chat, '/say hi');
    const { actions } = await replayTo(alice, [session]);
    expect(new Set(actions.map((envelope) => envelope.channel))).toEqual(new Set([session]));
  });

  it('names what cannot be resumed as missing (B-76, OQ-11)', async () => {
    const { alice, bob, session, chat } = await aliceAndBob();
    const other = await host.session(alice);
    await alice.sync();
    await alice.close();
    await bob.request('disposeSession', { channel: other.session });
    const unknown = host.newChatUri();
    const asked = [session, other.session, other.chat, unknown, 'nonsense', chat, 'ahp-otlp:/logs'];
    const { missing, client } = await replayTo(alice, asked);
    expect(missing).toEqual([other.session, other.chat, unknown, 'nonsense']);
    await bob.act(session, { type: 'session/titleChanged', title: 'Still live' });
    await client.action(session, 'session/titleChanged');
  });

  it('knows a session by the name of earlier versions, by which it can be subscribed to', async () => {
    const { alice, bob, session } = await aliceAndBob();
    const name = session.replace('ahp-session:', 'demo:');
    for (const channel of [session, name]) {
      expect((await alice.request('subscribe', { channel })).snapshot?.resource).toBe(channel);
    }
    await alice.close();
    const { missing, client } = await replayTo(alice, [name]);
    expect(missing).toEqual([]);
    await bob.act(session, { type: 'session/titleChanged', title: 'Live' });
    await client.action(name, 'session/titleChanged'); // by the name that it used
  });

  it('holds neither rejections nor notifications (B-87, OQ-19)', async () => {
    const { alice, bob, session, all } = await aliceAndBob();
    const { lastSeen } = alice;
    const rejected = await alice.act(session, { type: 'session/ready' });
    expect(rejected.rejectionReason).toBeDefined();
    await bob.act(session, { type: 'session/titleChanged', title: 'Told in a notification too' });
    await alice.notification('root/sessionSummaryChanged', ({ changes }) => changes.title !== undefined);
    await alice.close();
    const { client, actions } = await replayTo(alice, all, lastSeen);
    expect(actions.map((envelope) => envelope.action.type)).toEqual(['session/titleChanged']);
    await client.sync();
    expect(client.notifications).toEqual([]);
  });
});

describe('a snapshot instead of a replay', () => {
  const snapshotFor = async (client: WireClient, subscriptions: string[], lastSeen?: number) => {
    const back = await host.reconnect(client, subscriptions, lastSeen);
    if (back.result.type !== 'snapshot') throw new Error('the host replayed');
    return { client: back.client, snapshots: back.result.snapshots };
  };

  it('is not given to an unknown client, which can initialize instead (V-6, OQ-8)', async () => {
    const { session, chat } = await aliceAndBob();
    const stranger = await host.rawClient();
    const { clientId } = stranger;
    for (const subscriptions of [[session, chat, ROOT_URI], [session], [], [ROOT_URI]]) {
      const params = { clientId, lastSeenServerSeq: 1, subscriptions };
      const answers = [await stranger.refused('reconnect', { channel: ROOT_URI, ...params })];
      if (subscriptions.includes(ROOT_URI)) answers.push(await stranger.refused('reconnect', params)); // as VS Code sends it
      expect(answers.map(({ code }) => code)).toEqual(answers.map(() => -32008));
    }
    await stranger.request('initialize', { channel: ROOT_URI, clientId, protocolVersions: ['1.0.0'] });
  });

  it('names no channel in some builds of VS Code (V-6)', async () => {
    const { alice, bob, session } = await aliceAndBob();
    await alice.close();
    await bob.act(session, { type: 'session/titleChanged', title: 'Missed' });
    const { clientId, lastSeen: lastSeenServerSeq } = alice;
    const back = await host.rawClient({ clientId });
    const result = await back.peer.request('reconnect', {
      clientId,
      lastSeenServerSeq,
      subscriptions: [ROOT_URI, session],
      _meta: { 'vscode.telemetryLevel': 'off' },
    });
    expect(result).toMatchObject({
      type: 'replay',
      actions: expect.arrayContaining([
        expect.objectContaining({ action: { type: 'session/titleChanged', title: 'Missed' } }),
      ]),
    });
  });

  it('is given to a client that is ahead of the host (OQ-8)', async () => {
    const { alice, session } = await aliceAndBob();
    await alice.close();
    const { snapshots } = await snapshotFor(alice, [session], alice.lastSeen + 1_000_000);
    expect(snapshots.map((snapshot) => snapshot.resource)).toEqual([session]);
  });

  it('is given when the log of one channel no longer reaches back (B-77, B-82)', async () => {
    const { alice, bob, session, chat } = await aliceAndBob();
    await alice.close();
    await bob.act(session, { type: 'session/titleChanged', title: 'Long ago' });
    await host.leave(bob);
    host.host.unloadIdle();
    store.channels.trim(session, 0);
    const { snapshots } = await snapshotFor(alice, [chat, session]);
    expect(snapshots.map((snapshot) => snapshot.resource)).toEqual([chat, session]);
    expect((snapshots[1]?.state as SessionState | undefined)?.title).toBe('Long ago');
  });

  it('has every later action above its fromSeq (B-48)', async () => {
    const { alice, bob, chat } = await aliceAndBob();
    await alice.close();
    startTurn(bob, chat, '/stream 200');
    await bob.action(chat, 'chat/delta');
    const { client, snapshots } = await snapshotFor(alice, [chat], Number.MAX_SAFE_INTEGER);
    await client.action(chat, 'chat/turnComplete');
    const from = snapshots[0]?.fromSeq ?? 0;
    expect(client.envelopes).toEqual(bob.envelopes.filter((e) => e.channel === chat && e.serverSeq > from));
  });
});

describe('a dispatch that is sent again', () => {
  const rename = async (client: WireClient, channel: string, clientSeq: number, title: string) => {
    const before = client.envelopes.length;
    client.peer.notify('dispatchAction', { channel, clientSeq, action: { type: 'session/titleChanged', title } });
    const isAnswer = ({ origin }: ActionEnvelope) => origin?.clientId === client.clientId;
    return client.until(() => client.envelopes.slice(before).find(isAnswer), 'an answer');
  };

  const titlesSeenBy = async (client: WireClient, session: string) => {
    await client.sync();
    return client.actionsOn(session).flatMap((action) => (action.type === 'session/titleChanged' ? action.title : []));
  };

  it('because its echo was lost with the connection is rejected, not applied twice (OQ-23)', async () => {
    const { alice, bob, session, all } = await aliceAndBob();
    const { lastSeen } = alice;
    await rename(alice, session, 7, 'Once');
    await alice.close();
    const { client } = await replayTo(alice, all, lastSeen);
    const again = await rename(client, session, 7, 'Once');
    expect(again).toMatchObject({ origin: { clientSeq: 7 }, rejectionReason: expect.stringContaining('before') });
    await rename(client, session, 8, 'After');
    expect(await titlesSeenBy(bob, session)).toEqual(['Once', 'After']);
  });

  it('is rejected again when the answer to the repetition was lost, too', async () => {
    const { alice, bob, session, all } = await aliceAndBob();
    const { lastSeen } = alice;
    await rename(alice, session, 7, 'Once');
    await alice.close();
    const { client } = await replayTo(alice, all, lastSeen);
    await rename(client, session, 7, 'Once');
    await client.close();
    const { client: third } = await replayTo(client, all, lastSeen);
    expect((await rename(third, session, 7, 'Once')).rejectionReason).toBeDefined();
    expect(await titlesSeenBy(bob, session)).toEqual(['Once']);
  });

  it('is not meant by a client that counts from 1 again: its next actions are new (V-7)', async () => {
    const { alice, bob, session, chat, all } = await aliceAndBob();
    const { lastSeen } = alice;
    await rename(alice, session, 1, 'One');
    await rename(alice, session, 2, 'Two');
    await alice.close();
    const { client } = await replayTo(alice, all, lastSeen);
    await rename(client, session, 1, 'Three');
    const message = { text: '/say hi', origin: { kind: 'user' } };
    const action = {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'after-the-break',
      message,
    };
    client.peer.notify('dispatchAction', { channel: chat, clientSeq: 2, action });
    await client.action(chat, 'chat/turnComplete');
    expect(await titlesSeenBy(bob, session)).toEqual(['One', 'Two', 'Three']);
  });

  it('is not meant by a client that has seen the echo: typing the same as before the break counts', async () => {
    const { alice, bob, session, all } = await aliceAndBob();
    await rename(alice, session, 1, 'Same');
    await rename(alice, session, 2, 'Other');
    await alice.close();
    const { client } = await replayTo(alice, all);
    expect((await rename(client, session, 1, 'Same')).rejectionReason).toBeUndefined();
    expect(await titlesSeenBy(bob, session)).toEqual(['Same', 'Other', 'Same']);
  });

  it('counts again after the client has started anew (OQ-23)', async () => {
    const { alice, session } = await aliceAndBob();
    await alice.act(session, { type: 'session/titleChanged', title: 'First life' });
    await alice.close();
    const anew = await host.client({ clientId: alice.clientId, subscriptions: [session] });
    const echo = await anew.act(session, { type: 'session/titleChanged', title: 'Second life' });
    expect(echo).toMatchObject({ origin: { clientSeq: 1 }, action: { title: 'Second life' } });
  });
});

it('a reconnect with too many subscriptions is refused', async () => {
  const client = await host.rawClient();
  const subscriptions = Array.from({ length: 10_001 }, (_, index) => `ahp-chat:/${index}`);
  const params = { channel: ROOT_URI, clientId: 'greedy', lastSeenServerSeq: 0, subscriptions };
  expect(await client.refused('reconnect', params)).toMatchObject({ code: -32602 });
});
