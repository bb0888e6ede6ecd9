import type { Store } from '@moorage/host';
import { type AnnotationsState, type ChatState, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, chatState, PATIENT, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let reads: string[];
let clock: ManualClock;
let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
beforeEach(async () => {
  reads = [];
  clock = new ManualClock();
  agent = new GatedAgent();
  agent.openAll();
  host = await TestHost.start({ clock, agents: [agent], store: watchReads });
  client = await host.client();
  ({ session, chat } = await host.session(client, { provider: 'test' }));
});
afterEach(() => host.dispose());

/** A session is read from the store when it is not in memory, and only then. */
function watchReads(store: Store): Store {
  const read = (uri: string) => {
    const stored = store.channels.read(uri);
    if (stored) reads.push(uri);
    return stored;
  };
  return Object.create(store, { channels: { value: { ...store.channels, read } } }) as Store;
}

/** Nobody watches any more; what is unused leaves memory. */
async function goCold(): Promise<void> {
  await host.leave(client);
  host.host.unloadIdle();
  client = await host.client();
  reads.length = 0;
}

const all = async (from: WireClient) => ({
  session: await from.subscribe<SessionState>(session),
  chat: await from.subscribe<ChatState>(chat),
  annotations: await from.subscribe<AnnotationsState>(`${session}/annotations`),
});

describe('a session that nobody uses', () => {
  it('leaves memory, and is the same when it comes back', async () => {
    await turn(client, chat, 'one');
    await accepted(client, session, { type: 'session/titleChanged', title: 'Cold' });
    const entries = [{ id: 'e', text: 'note' }];
    const annotation = { id: 'a', origin: { session, turnId: 't' }, resource: 'file:///a', resolved: false, entries };
    await client.subscribe(`${session}/annotations`);
    await accepted(client, `${session}/annotations`, { type: 'annotations/set', annotation });
    const before = await all(client);
    expect(reads).toEqual([]);
    await goCold();
    expect(await all(client)).toEqual(before);
    expect(new Set(reads)).toEqual(new Set([session, chat, `${session}/annotations`]));
  });

  it('leaves memory by itself after a while', async () => {
    await host.leave(client);
    clock.advance(30_000);
    client = await host.client();
    reads.length = 0;
    await client.subscribe(session);
    expect(reads).toContain(session);
  });

  it('can be listed, renamed, forked and disposed of without being watched', async () => {
    await turn(client, chat, 'one', 'turn-to-fork');
    await goCold();
    const list = async () => (await client.request('listSessions', { channel: ROOT_URI })).items;
    expect((await list()).map((item) => item.resource)).toEqual([session]);
    expect(reads).toEqual([]); // listing loads nothing
    client.dispatch(session, { type: 'session/titleChanged', title: 'From afar' });
    await client.sync();
    expect((await list())[0]?.title).toBe('From afar');
    host.host.unloadIdle();
    const fork = host.newSessionUri();
    await client.request('createSession', {
      channel: fork,
      _meta: { 'moorage.fork': { session, turnId: 'turn-to-fork' } },
    });
    host.host.unloadIdle();
    await client.request('disposeSession', { channel: session });
    expect((await list()).map((item) => item.resource)).toEqual([fork]);
  });

  it('runs a turn that somebody dispatches; the agent gets the history (B-58)', async () => {
    await turn(client, chat, 'one', 'first');
    await goCold();
    await expect.poll(() => agent.disposed, PATIENT).toEqual([chat]);
    client.dispatch(chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'second',
      message: userMessage('two'),
    });
    await client.sync();
    await client.subscribe(chat);
    await expect.poll(async () => (await chatState(client, chat)).turns.length, PATIENT).toBe(2);
    expect(agent.opened).toHaveLength(2);
    expect(agent.opened[1]?.history.map((ended) => ended.id)).toEqual(['first']);
  });

  it('is replayed to who comes back, as if it had never left (B-75)', async () => {
    const alice = await host.client({ subscriptions: [session, chat] });
    await alice.sync();
    await host.leave(alice);
    await turn(client, chat, 'while alice was away');
    const missed = client.envelopes.filter((envelope) => envelope.serverSeq > alice.lastSeen);
    await goCold();
    const { result } = await host.reconnect(alice, [session, chat]);
    expect(result).toEqual({ type: 'replay', actions: missed, missing: [] });
  });
});

describe('a session that is used', () => {
  it.each([
    ['is watched', async () => void (await client.subscribe(session))],
    ['has a chat that is watched', async () => void (await client.subscribe(chat))],
    ['has annotations that are watched', async () => void (await client.subscribe(`${session}/annotations`))],
    [
      'runs a turn',
      async () => {
        agent.next = () => new Promise(() => {});
        startTurn(client, chat, 'work');
        await client.sync();
      },
    ],
  ])('and %s stays in memory', async (_what, use) => {
    await goCold();
    const bob = await host.client();
    await all(bob);
    await use();
    await host.leave(bob);
    host.host.unloadIdle();
    reads.length = 0;
    await all(await host.client());
    expect(reads).toEqual([]);
  });

  it('by a turn that waits for the user goes on waiting', async () => {
    agent.next = async (run) => {
      await run.ask({ id: 'r', message: 'Still there?' });
      run.emit({ kind: 'text', text: 'yes' });
      return undefined;
    };
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/inputRequested');
    await goCold();
    await client.subscribe(chat);
    await accepted(client, chat, { type: 'chat/inputCompleted', requestId: 'r', response: 'accept' });
    await turnEnd(client, chat, turnId);
    expect(textOf((await chatState(client, chat)).turns[0])).toBe('yes');
  });
});

describe('a long chat', () => {
  it('comes back whole; what is too old to replay becomes a snapshot (B-77, OQ-58)', async () => {
    const piece = 'x'.repeat(50_000);
    agent.next = async (run) => {
      for (let count = 0; count < 20; count++) run.emit({ kind: 'text', text: piece });
      return undefined;
    };
    const early = await host.client({ subscriptions: [chat] });
    await host.leave(early);
    for (let count = 0; count < 5; count++) await turn(client, chat, `message ${count}`); // 5 MB of log
    const late = await host.client({ subscriptions: [chat] });
    await host.leave(late);
    agent.next = async () => undefined;
    await turn(client, chat, 'the last');
    const before = await chatState(client, chat);
    await goCold();
    const longAgo = await host.reconnect(early, [chat]);
    expect(longAgo.result.type).toBe('snapshot');
    const recently = await host.reconnect(late, [chat]);
    const types = recently.result.type === 'replay' ? recently.result.actions.map(({ action }) => action.type) : [];
    expect(types.filter((type) => type !== 'chat/activityChanged')).toEqual(['chat/turnStarted', 'chat/turnComplete']);
    const after = await chatState(client, chat);
    expect(after).toEqual(before);
    expect(after.turns.map((ended) => textOf(ended).length)).toEqual([...Array(5).fill(1_000_000), 0]);
  });
});

describe('a host that starts', () => {
  it('loads no session that has nothing to settle', async () => {
    await turn(client, chat, 'one');
    await host.session(client, { provider: 'test' });
    await host.restart();
    client = await host.client({ subscriptions: [ROOT_URI] });
    expect((await client.request('listSessions', { channel: ROOT_URI })).items).toHaveLength(2);
    expect(reads).toEqual(['ahp-automations://']); // a schedule may be due
  });
});
