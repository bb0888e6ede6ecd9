import {
  type ChatState,
  type ReconnectReplayResult,
  ROOT_URI,
  type RootState,
  reduceAll,
  type SessionState,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, reasonFor, turn } from '../support/actions.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';

let host: TestHost;
beforeEach(async () => {
  host = await TestHost.start();
});
afterEach(() => host.dispose());

describe('a reconnect after the host was restarted', () => {
  it('is a replay that leads to the state of the new host, also of the root channel (B-75, B-83)', async () => {
    const alice = await host.client();
    const bob = await host.client();
    const { session, chat } = await host.session(alice);
    const root = await alice.subscribe<RootState>(ROOT_URI);
    const before = {
      session: await alice.subscribe<SessionState>(session),
      chat: await alice.subscribe<ChatState>(chat),
    };
    const { lastSeen } = alice;
    await bob.subscribe(chat);
    await alice.close();
    await turn(bob, chat, '/say in the first life');
    await host.session(bob);
    await host.restart();

    const { client, result } = await host.reconnect(alice, [ROOT_URI, session, chat], lastSeen);
    const { type, actions, missing } = result as ReconnectReplayResult;
    expect({ type, missing }).toEqual({ type: 'replay', missing: [] });
    const of = (channel: string) =>
      actions.filter((envelope) => envelope.channel === channel).map((envelope) => envelope.action as never);
    const env = { now: () => 0 };
    const now = { root: await client.subscribe<RootState>(ROOT_URI), chat: await client.subscribe<ChatState>(chat) };
    const catalogue = await client.subscribe<SessionState>(session);
    expect(reduceAll('root', root, of(ROOT_URI), env)).toEqual(now.root);
    expect(reduceAll('chat', before.chat, of(chat), env).turns).toEqual(now.chat.turns);
    expect(reduceAll('session', before.session, of(session), env).chats).toEqual(catalogue.chats);
    expect(now.root.activeSessions).toBe(2);
  });

  it('goes on live, with numbers above all that were used before', async () => {
    const first = await host.client();
    const { session } = await host.session(first);
    let client = first;
    const seen: number[] = [];
    for (const title of ['one', 'two', 'three']) {
      seen.push((await accepted(client, session, { type: 'session/titleChanged', title })).serverSeq);
      await reasonFor(client, session, { type: 'session/ready' });
      seen.push(client.lastSeen);
      await host.restart();
      const back = await host.reconnect(client, [session]);
      expect(back.result).toMatchObject({ type: 'replay', actions: [] });
      client = back.client;
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });

  it('never reports a number in the handshake that is below one it sent', async () => {
    const client = await host.client();
    const { session } = await host.session(client);
    await reasonFor(client, session, { type: 'session/ready' });
    await host.restart();
    const anew = await host.rawClient();
    const params = { channel: ROOT_URI, clientId: 'anew', protocolVersions: ['1.0.0'] } as const;
    const { serverSeq } = await anew.request('initialize', { ...params, protocolVersions: ['1.0.0'] });
    expect(serverSeq).toBeGreaterThanOrEqual(client.lastSeen);
  });
});

describe('the root channel', () => {
  it('is given as a snapshot to who knew the host before it described itself otherwise (B-75, B-78)', async () => {
    const before = await TestHost.start({ meta: { version: 1 } });
    const old = await before.client({ subscriptions: [ROOT_URI] });
    const after = await before.afterCrash({ meta: { version: 2 } });
    const young = await after.client({ subscriptions: [ROOT_URI] });
    await after.restart();
    const { result } = await after.reconnect(old, [ROOT_URI]);
    expect(result).toMatchObject({ type: 'snapshot', snapshots: [{ state: { _meta: { version: 2 } } }] });
    expect((await after.reconnect(young, [ROOT_URI])).result.type).toBe('replay');
    await after.dispose();
    await before.dispose();
  });

  it('remembers the last of what it said; who missed more gets a snapshot (B-77, B-82, B-94)', async () => {
    const agent = { ...testAgent(), tell: () => {}, onInfoChanged: (listener: () => void) => (agent.tell = listener) };
    const other = await TestHost.start({ agents: [agent] });
    const watcher = await other.client({ subscriptions: [ROOT_URI] });
    const announce = async (description: string, count: number) => {
      agent.info = { ...agent.info, description };
      agent.tell();
      expect((await watcher.action(ROOT_URI, 'root/agentsChanged', count)).agents).toMatchObject([agent.info]);
    };
    const early = await other.client({ subscriptions: [ROOT_URI] });
    await other.leave(early);
    await announce('x'.repeat(200_000), 1);
    const late = await other.client({ subscriptions: [ROOT_URI] });
    await other.leave(late);
    await announce('y'.repeat(200_000), 2);
    const missed = await other.reconnect(late, [ROOT_URI]);
    expect(missed.result).toEqual({ type: 'replay', actions: [watcher.envelopes.at(-1)], missing: [] });
    const tooMuch = await other.reconnect(early, [ROOT_URI]);
    expect(tooMuch.result).toMatchObject({ type: 'snapshot', snapshots: [{ state: { agents: [agent.info] } }] });
    await other.dispose();
  });
});
