import { join } from 'node:path';
import { openSqliteStore } from '@moorage/host';
import { type ChatState, ROOT_URI, type Turn } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/host/src/adapters/shared/sqlite.js';
import { callsOf, chatState, reasonFor, startTurn, turnEnd } from '../support/actions.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  agent = new GatedAgent();
  agent.openAll();
  host = await TestHost.start({ agents: () => [agent] });
  client = await host.client();
});
afterEach(() => host.dispose());

const picture = Buffer.alloc(600_000, 137).toString('base64');
const withPicture = {
  ...userMessage('look'),
  attachments: [
    { type: 'embeddedResource' as const, label: 'shot.png', contentType: 'image/png', data: picture },
    { type: 'embeddedResource' as const, label: 'small.txt', contentType: 'text/plain', data: 'aGk=' },
  ],
};

describe('a picture in a message', () => {
  it('is kept beside the chat, so that 21 of them leave it small, and is read by whoever wants it', async () => {
    const { chat } = await host.session(client, { provider: 'test' });
    for (let n = 0; n < 21; n++) {
      const turnId = `turn-${n}`;
      client.dispatch(chat, {
        type: 'chat/turnStarted',
        startedAt: '2026-01-01T00:00:00.000Z',
        turnId,
        message: withPicture,
      });
      await turnEnd(client, chat, turnId);
    }
    const state = await chatState(client, chat);
    expect(JSON.stringify(state).length).toBeLessThan(picture.length);
    const [large, small] = state.turns[20]?.message.attachments ?? [];
    expect(small).toEqual(withPicture.attachments[1]);
    expect(large).toMatchObject({ type: 'resource', label: 'shot.png', contentType: 'image/png', sizeHint: 600_000 });
    const uri = large?.type === 'resource' ? large.uri : '';
    const { data } = await client.request('resourceRead', { channel: ROOT_URI, uri, encoding: 'base64' });
    expect(data).toBe(picture);
  });

  it('reaches the agent whole, at once and from the history', async () => {
    const { chat } = await host.session(client, { provider: 'test' });
    client.dispatch(chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'one',
      message: withPicture,
    });
    await turnEnd(client, chat, 'one');
    expect(agent.turns[0]?.message.attachments).toEqual(withPicture.attachments);
    await host.restart();
    client = await host.client();
    await client.subscribe(chat);
    await turnEnd(client, chat, startTurn(client, chat, 'and?'));
    const [first]: readonly Turn[] = agent.opened.at(-1)?.history ?? [];
    expect(first?.message.attachments).toEqual(withPicture.attachments);
  });

  it('may come with the first message of a chat', async () => {
    const { session } = await host.session(client, { provider: 'test' });
    const chat = 'ahp-chat:/with-picture';
    await client.request('createChat', { channel: session, chat, initialMessage: withPicture });
    await client.subscribe(chat);
    await expect.poll(async () => (await chatState(client, chat)).turns.length).toBe(1);
    expect((await chatState(client, chat)).turns[0]?.message.attachments?.[0]).toMatchObject({ type: 'resource' });
  });
});

describe('a message', () => {
  it('that is too long is refused, with what to do', async () => {
    const { chat } = await host.session(client, { provider: 'test' });
    const message = userMessage('x'.repeat(3 * 1024 * 1024));
    expect(
      await reasonFor(client, chat, {
        type: 'chat/turnStarted',
        startedAt: '2026-01-01T00:00:00.000Z',
        turnId: 'long',
        message,
      }),
    ).toContain('attach');
  });
});

describe('what an agent says of a call', () => {
  const input = 'a'.repeat(20 * 1024 * 1024);

  it('is in state only in part if it is very long, and runs as a whole', async () => {
    const { chat } = await host.session(client, { provider: 'test' });
    let ran: string | undefined;
    agent.next = async (run) => {
      run.emit({ kind: 'toolCallStart', toolCallId: 'c', toolName: 'dig', displayName: 'Dig' });
      const decision = await run.confirm({
        toolCallId: 'c',
        invocationMessage: 'b'.repeat(1024 * 1024),
        toolInput: input,
        editable: true,
      });
      ran = decision.approved ? decision.toolInput : undefined;
      const text = 'o'.repeat(20 * 1024 * 1024);
      run.emit({ kind: 'toolCallContent', toolCallId: 'c', content: [{ type: 'text', text }] });
      const result = { success: true, pastTenseMessage: 'Dug', content: [{ type: 'text' as const, text }] };
      run.emit({ kind: 'toolCallDone', toolCallId: 'c', result });
      return undefined;
    };
    const turnId = startTurn(client, chat, 'go');
    const ready = await client.action(chat, 'chat/toolCallReady');
    expect(ready).toMatchObject({ editable: false, toolInput: expect.stringContaining('more characters') });
    const target = { type: 'chat/toolCallConfirmed', turnId, toolCallId: 'c' };
    client.dispatch(chat, { ...target, approved: true, confirmed: 'user-action' });
    await turnEnd(client, chat, turnId);
    expect(ran).toBe(input);
    const state = await chatState(client, chat);
    expect(JSON.stringify(state).length).toBeLessThan(1024 * 1024);
    const [call] = callsOf(state.turns[0]?.responseParts);
    expect(call).toMatchObject({ status: 'completed', content: [{ type: 'resource', sizeHint: 20 * 1024 * 1024 }] });
    const { uri } = (call?._meta?.['moorage.toolInput'] ?? {}) as { uri?: string };
    const { data } = await client.request('resourceRead', { channel: ROOT_URI, uri: uri ?? '' });
    expect(data).toBe(input);
  });

  it('is stored so that little has to be read after a kill, however many pieces it came in', async () => {
    const { chat } = await host.session(client, { provider: 'test' });
    agent.next = async (run) => {
      const calls = ['one', 'two']; // by turns: pieces of one call that come together become one action
      for (const toolCallId of calls) {
        run.emit({ kind: 'toolCallStart', toolCallId, toolName: 'write', displayName: 'Write' });
      }
      for (let piece = 0; piece < 40_000; piece++) {
        run.emit({ kind: 'toolCallInput', toolCallId: calls[piece % 2] ?? '', text: 'word ' });
        if (piece % 1_000 === 0) await new Promise(setImmediate);
      }
      return undefined;
    };
    await turnEnd(client, chat, startTurn(client, chat, 'go'));
    const crashed = await host.afterCrash();
    try {
      const store = openSqliteStore({ file: join(host.folder, 'store.sqlite') });
      const { tail, snapshot } = store.channels.read(chat) ?? { tail: '', snapshot: { json: '' } };
      store.close();
      expect(tail.length).toBeLessThan(3 * 1024 * 1024);
      expect(snapshot.json.length).toBeGreaterThan(100_000);
      const reader = await crashed.client();
      expect(await chatState(reader, chat)).toEqual(await chatState(client, chat));
    } finally {
      await crashed.dispose();
    }
  });
});

describe('a long chat', () => {
  /** In a host that was started again, so that nothing of it is in memory. */
  async function longChat(): Promise<string> {
    const { chat } = await host.session(client, { provider: 'test' });
    agent.next = async (run) => {
      for (let piece = 0; piece < 4; piece++) {
        run.emit({ kind: 'text', text: `${piece} "quoted" ${'x'.repeat(1024 * 1024)}` });
        run.emit({ kind: 'notice', text: 'next' });
      }
      return undefined;
    };
    for (let n = 0; n < 3; n++) await turnEnd(client, chat, startTurn(client, chat, `go ${n}`));
    const before = await chatState(client, chat);
    await host.restart();
    client = await host.client();
    expect(await chatState(client, chat)).toEqual(before);
    await host.restart();
    return chat;
  }

  it('is opened in pieces, so that others need not wait for it', async () => {
    const chat = await longChat();
    client = await host.client();
    const order: string[] = [];
    const opened = client.subscribe<ChatState>(chat).then(() => order.push('opened'));
    const answered = client.request('ping', { channel: ROOT_URI }).then(() => order.push('answered'));
    await Promise.all([opened, answered]);
    expect(order).toEqual(['answered', 'opened']);
  });
});

describe('a session with a chat that cannot be read', () => {
  it('can be deleted', async () => {
    const { session, chat } = await host.session(client, { provider: 'test' });
    await turnEnd(client, chat, startTurn(client, chat, 'go'));
    await host.stop();
    const database = openDatabase(join(host.folder, 'store.sqlite'));
    database
      .prepare("UPDATE snapshots SET json = '{}' WHERE channel_id = (SELECT id FROM channels WHERE uri = ?)")
      .run(chat);
    database.close();
    await host.start();
    client = await host.client();
    await client.request('disposeSession', { channel: session });
    const { items } = await client.request('listSessions', { channel: ROOT_URI });
    expect(items).toEqual([]);
  });
});
