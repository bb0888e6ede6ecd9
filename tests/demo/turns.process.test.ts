import { demoAgent } from '@moorage/agents/demo';
import { type ChatState, reduce, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accepted,
  approval,
  callsOf,
  chatState,
  endedIn,
  startTurn,
  textOf,
  turn,
  turnEnd,
} from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
beforeEach(async () => {
  host = await TestHost.start();
  client = await host.client();
  ({ session, chat } = await host.session(client));
});
afterEach(() => host.dispose());

async function secondChat(): Promise<string> {
  const other = host.newChatUri();
  await client.request('createChat', { channel: session, chat: other });
  await client.subscribe(other);
  return other;
}

const title = async () => (await client.subscribe<SessionState>(session)).title;

describe('a turn that fails', () => {
  it('ends with the error, and the next one starts afresh (B-124, B-154)', async () => {
    const turnId = await turn(client, chat, '/say so far\n/fail out of coffee');
    const error = { errorType: 'scriptFailed', message: 'out of coffee' };
    const failed = await chatState(client, chat);
    expect(failed).toMatchObject({ status: 2, turns: [{ id: turnId, ...endedIn(error) }] });
    expect(textOf(failed.turns[0])).toBe('so far');
    await turn(client, chat, '/say better');
    expect(await chatState(client, chat)).toMatchObject({ status: 1, turns: [{}, { state: 'complete' }] });
  });

  it('because its agent died says so, in a process of its own as well', async () => {
    await host.dispose();
    host = await TestHost.start({ agents: [demoAgent()] });
    client = await host.client();
    ({ chat } = await host.session(client));
    const turnId = startTurn(client, chat, '/read nothing.txt\n/crash\n/say never');
    const end = await turnEnd(client, chat, turnId);
    expect(end).toMatchObject({ type: 'chat/error', part: { error: { errorType: 'agentExited' } } });
    await turn(client, chat, '/say risen');
    const { turns } = await chatState(client, chat);
    expect(turns.map((ended) => [ended.state, textOf(ended)])).toEqual([
      ['error', ''],
      ['complete', 'risen'],
    ]);
  });
});

describe('what an agent reports', () => {
  it('of tokens is kept with the turn; the last report counts (B-157)', async () => {
    await turn(client, chat, '/usage 10 20\n/say hi\n/usage 30 40');
    expect(client.actionsOn(chat).filter((action) => action.type === 'chat/usage')).toHaveLength(2);
    expect((await chatState(client, chat)).turns[0]?.usage).toMatchObject({ inputTokens: 30, outputTokens: 40 });
  });

  it('as title names the session; before, the first message does, but never over a name (B-112)', async () => {
    await turn(client, chat, `\n  what is this about? ${'x'.repeat(100)}\nand more`);
    expect(await title()).toMatch(/^what is this about\? x+…$/);
    await turn(client, chat, 'something else');
    expect(await title()).toMatch(/^what is this about/);
    await turn(client, chat, '/title About  nothing');
    expect(await title()).toBe('About nothing');
    const other = await host.session(client);
    await accepted(client, other.session, { type: 'session/titleChanged', title: 'Mine' });
    await turn(client, other.chat, 'hello');
    expect((await client.subscribe<SessionState>(other.session)).title).toBe('Mine');
  });

  it('as title counts again and again, after a restart and in a fork, until a user names the session (B-112)', async () => {
    const titleOf = async (of: string) => (await client.subscribe<SessionState>(of)).title;
    const nextLife = async () => {
      await host.restart();
      client = await host.client();
      await client.subscribe(chat);
    };
    await turn(client, chat, '/title One');
    await nextLife();
    const turnId = await turn(client, chat, '/title Two');
    expect(await title()).toBe('Two');
    const fork = await host.session(client, { _meta: { 'moorage.fork': { session, turnId } } });
    expect(await titleOf(fork.session)).toBe('Two (fork)');
    await turn(client, fork.chat, '/title Three');
    expect(await titleOf(fork.session)).toBe('Three');
    await accepted(client, session, { type: 'session/titleChanged', title: 'Mine' });
    await nextLife();
    await turn(client, chat, '/title Four');
    expect(await title()).toBe('Mine');
    const named = await host.session(client, { _meta: { 'moorage.fork': { session, turnId } } });
    await turn(client, named.chat, '/title Five');
    expect(await titleOf(named.session)).toBe('Mine (fork)'); // what a user called it, it is still called after
  });

  it('as title names the session from every chat of it, since a user asked for it', async () => {
    const other = await secondChat();
    await turn(client, other, '/title From another chat');
    expect(await title()).toBe('From another chat');
    await turn(client, chat, '/spawn /title From a sub-agent');
    expect(await title()).toBe('From a sub-agent');
    await host.restart();
    client = await host.client();
    expect(await title()).toBe('From a sub-agent');
  });

  it('that it cannot serve fails in the call alone', async () => {
    await turn(client, chat, '/mcp server tool {}\n/read nothing.txt\n/replace nothing.txt a => b\n/say on');
    const { turns } = await chatState(client, chat);
    expect(callsOf(turns[0]?.responseParts).map((call) => [call.toolName, call.status])).toEqual(
      ['tool', 'read', 'replace'].map((name) => [name, 'completed']),
    );
    for (const call of callsOf(turns[0]?.responseParts)) expect(call).toMatchObject({ success: false });
    expect(turns[0]?.state).toBe('complete');
  });
});

describe('/auto', () => {
  const nextLife = async (shown: string) => {
    await host.restart();
    client = await host.client();
    await client.subscribe(shown);
  };
  const confirmedBy = async (of: string, script: string) => {
    startTurn(client, of, script);
    return (await client.action(of, 'chat/toolCallReady')).confirmed;
  };

  it('is kept with the session: after a restart it holds in chats that never ran, and in new ones', async () => {
    const silent = await secondChat();
    await turn(client, chat, '/auto on');
    await nextLife(silent);
    expect(await confirmedBy(silent, '/write silent.txt x')).toBe('setting');
    expect(await confirmedBy(await secondChat(), '/write new.txt x')).toBe('setting');
    await turn(client, await secondChat(), '/auto off');
    await nextLife(chat);
    expect(await confirmedBy(chat, '/write asked.txt x')).toBeUndefined();
  });
});

describe('the actions of a turn', () => {
  const SCRIPT = [
    '/think about it',
    '/say first words',
    '/auto on',
    '/write a.txt one',
    '/append a.txt two',
    '/read a.txt',
    '/rename a.txt b.txt',
    '/usage 1 2',
    '/delete b.txt',
    '/spawn /say below',
    '/ask Ready?',
    '/auto off',
    '/write c.txt three',
    '/stream 20',
    '/title Done',
  ].join('\n');

  it('each change the state: none is out of place (B-153, B-168, B-169)', async () => {
    const { state: before } = await client.snapshot<ChatState>(chat);
    const turnId = startTurn(client, chat, SCRIPT);
    const { request } = await client.action(chat, 'chat/inputRequested');
    await accepted(client, chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'decline' });
    const pending = await client.envelope(({ action }) => action.type === 'chat/toolCallReady' && !action.confirmed);
    const { toolCallId } = pending.action as { toolCallId: string };
    const approve = approval(turnId, toolCallId);
    await accepted(client, chat, approve);
    await turnEnd(client, chat, turnId);
    let state = before;
    for (const action of client.actionsOn(chat)) {
      const next = reduce('chat', state, action as never, { now: () => 0 });
      expect([action, next === state]).toEqual([action, false]);
      state = next;
    }
    const final = await chatState(client, chat);
    expect(state.turns).toEqual(final.turns);
    const parts = final.turns[0]?.responseParts ?? [];
    const ids = parts.map((part) =>
      'id' in part ? part.id : part.kind === 'toolCall' ? part.toolCall.toolCallId : '',
    );
    expect(new Set(ids).size).toBe(parts.length); // no id twice (OQ-64)
    expect(callsOf(parts).map((call) => call.status)).toEqual(Array(7).fill('completed'));
    const text = parts.flatMap((part) => (part.kind === 'markdown' ? part.content : []));
    expect(text[0]).toContain('first words');
    expect(text.at(-1)?.split(' ')).toHaveLength(20);
  });
});
