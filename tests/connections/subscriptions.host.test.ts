import { type ChatState, ROOT_URI, reduceAll, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, startTurn, turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';

let host: TestHost;
beforeEach(async () => {
  host = await TestHost.start();
});
afterEach(() => host.dispose());

const rename = (title: string) => ({ type: 'session/titleChanged', title });

describe('subscribe', () => {
  it.each([
    ['ahp-session:/unknown', -32001],
    ['copilot:/unknown', -32001],
    ['ahp-session:/unknown/annotations', -32008],
    ['ahp-chat:/unknown', -32008],
    ['ahp-terminal:/unknown', -32008],
    ['ahp-changeset:/unknown/changeset/session', -32008],
    ['ahp-resource-watch:/unknown', -32008],
    ['ahp-otlp:/logs', -32008],
    ['mcp://server', -32008],
    ['', -32602],
    ['nonsense', -32602],
    ['file:///etc/passwd', -32602],
    ['ahp-session:/', -32602],
  ])('to %j is refused with %i (OQ-18)', async (channel, code) => {
    const client = await host.client();
    expect(await client.refused('subscribe', { channel })).toMatchObject({ code });
  });

  it('twice gives a fresh snapshot, and still one delivery per action (OQ-18)', async () => {
    const client = await host.client();
    const { session } = await host.session(client);
    await accepted(client, session, rename('One'));
    expect((await client.subscribe<SessionState>(session)).title).toBe('One');
    await accepted(client, session, rename('Two'));
    await client.sync();
    expect(client.actionsOn(session).filter((action) => action.type === 'session/titleChanged')).toHaveLength(2);
  });

  it('gives a snapshot that the later actions continue without a gap (B-46, B-48)', async () => {
    const alice = await host.client();
    const { chat } = await host.session(alice);
    const turnId = startTurn(
      alice,
      chat,
      `/say so it begins\n${'/think hm and hm\n/say and on\n'.repeat(150)}/say and ends`,
    );
    const late = await Promise.all(
      [1, 20, 100, 250].map(async (count) => {
        await alice.action(chat, 'chat/responsePart', count);
        const client = await host.client();
        return { client, ...(await client.snapshot<ChatState>(chat)) };
      }),
    );
    await alice.action(chat, 'chat/turnComplete');
    const final = await alice.subscribe<ChatState>(chat);
    for (const { client, state, fromSeq } of late) {
      if (state.activeTurn) await client.action(chat, 'chat/turnComplete');
      expect(client.envelopes.every((envelope) => envelope.serverSeq > fromSeq)).toBe(true);
      const seen = reduceAll('chat', state, client.actionsOn(chat) as never, { now: () => 0 });
      expect(seen.turns).toEqual(final.turns);
    }
    expect(final.turns.at(-1)?.id).toBe(turnId);
  });
});

describe('what a client is not subscribed to', () => {
  it('it does not hear of (B-49, B-51, B-86)', async () => {
    const alice = await host.client();
    const { session, chat } = await host.session(alice);
    const onSession = await host.client({ subscriptions: [session] });
    const onRoot = await host.client({ subscriptions: [ROOT_URI] });
    const onNothing = await host.client();
    await turn(alice, chat, '/say hi');
    for (const client of [onSession, onRoot, onNothing]) await client.sync();
    expect(new Set(onSession.envelopes.map((envelope) => envelope.channel))).toEqual(new Set([session]));
    expect(onSession.notifications).toEqual([]);
    expect(onRoot.envelopes).toEqual([]);
    expect(new Set(onRoot.received)).toEqual(new Set(['root/sessionSummaryChanged']));
    expect(onNothing.received).toEqual([]);
  });
});

describe('unsubscribe', () => {
  it('stops what the host sends for that channel alone (B-50)', async () => {
    const alice = await host.client();
    const bob = await host.client();
    const { session, chat } = await host.session(alice);
    await bob.subscribe(session);
    await bob.subscribe(chat);
    bob.peer.notify('unsubscribe', { channel: session });
    await bob.sync();
    await accepted(alice, session, rename('Unheard'));
    await turn(alice, chat, '/say hi');
    await bob.action(chat, 'chat/turnComplete');
    expect(bob.actionsOn(session)).toEqual([]);
  });

  it('of something else is ignored (OQ-18)', async () => {
    const client = await host.client();
    const { session } = await host.session(client);
    for (const params of [{ channel: host.newChatUri() }, { channel: 'nonsense' }, {}, { channel: 7 }]) {
      client.peer.notify('unsubscribe', params);
    }
    await accepted(client, session, rename('Heard'));
  });
});
