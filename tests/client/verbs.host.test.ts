import { type Client, connect, type PendingRequest, readStatus, type SessionList, when } from '@moorage/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';

let host: TestHost;
let clients: Client[];
beforeEach(async () => {
  host = await TestHost.start();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await host.dispose();
});

async function join(): Promise<Client> {
  const client = await connect({ url: host.url, token: host.token, reconnect: { minDelayMs: 10, maxDelayMs: 50 } });
  clients.push(client);
  return client;
}

async function openChat(client: Client, uri: string) {
  await client.request('createSession', { channel: uri, workingDirectories: [host.workspaceUri] });
  const session = await client.session(uri);
  return client.chat(await when(session, ({ defaultChat }) => defaultChat));
}

/** The first thing of this kind that the agent waits for. */
async function pending<K extends PendingRequest['kind']>(chat: Awaited<ReturnType<typeof openChat>>, kind: K) {
  const isOfKind = (request: PendingRequest): request is Extract<PendingRequest, { kind: K }> => request.kind === kind;
  return when(chat, () => chat.pendingRequests().find(isOfKind));
}

describe('the verbs of a chat', () => {
  it('send a message and wait for its turn', async () => {
    const chat = await openChat(await join(), 'ahp-session:/send');
    const sent = await chat.send('/say hello');
    const turn = await sent.finished();
    expect(sent.isQueued).toBe(false);
    expect(turn).toMatchObject({ id: sent.id, state: 'complete' });
    expect(textOf(turn)).toContain('hello');
  });

  it('queue a message while another turn runs, and find the turn that it starts', async () => {
    const chat = await openChat(await join(), 'ahp-session:/queue');
    const first = await chat.send('/ask Tea? | yes | no\n/say first');
    const second = await chat.send('/say second');
    expect([first.isQueued, second.isQueued]).toEqual([false, true]);
    await chat.answer(await pending(chat, 'questions'), 'yes');
    expect(textOf(await first.finished())).toContain('first');
    expect(textOf(await second.finished())).toContain('second');
  });

  it('answer by label or id, and say which answers a question takes', async () => {
    const chat = await openChat(await join(), 'ahp-session:/answer');
    const sent = await chat.send('/ask Tea? | yes | no');
    const questions = await pending(chat, 'questions');
    await expect(chat.answer(questions, 'perhaps')).rejects.toThrow(/expects one of/);
    await expect(chat.answer(questions, { other: 'yes' })).rejects.toThrow(/no question has the id other/);
    await expect(chat.approve(questions)).rejects.toThrow(/use answer/);
    expect(chat.pendingRequests()).toHaveLength(1);
    await chat.answer(questions.id, 'yes');
    expect(chat.pendingRequests()).toEqual([]);
    expect(textOf(await sent.finished())).toContain('yes');
    await expect(chat.answer(questions, 'yes')).rejects.toThrow(/waits for/);
  });

  it('approve and deny tool calls', async () => {
    const chat = await openChat(await join(), 'ahp-session:/approve');
    for (const verb of ['approve', 'deny'] as const) {
      const sent = await chat.send(`/run echo ${verb}-ran`);
      const approval = await pending(chat, 'approval');
      await expect(chat.answer(approval, 'yes')).rejects.toThrow(/use approve/);
      await chat[verb](approval);
      const turn = JSON.stringify((await sent.finished()).responseParts.filter(({ kind }) => kind === 'toolCall'));
      expect(turn.includes('"status":"completed"')).toBe(verb === 'approve');
    }
  });

  it('cancel the turn that runs', async () => {
    const chat = await openChat(await join(), 'ahp-session:/cancel');
    expect(await chat.cancel()).toBeUndefined();
    const sent = await chat.send('/ask Tea? | yes | no');
    await pending(chat, 'questions');
    expect(readStatus(chat.confirmed.status)).toMatchObject({ activity: 'waiting' });
    await chat.cancel();
    expect(await sent.finished()).toMatchObject({ state: 'cancelled' });
    expect(readStatus(chat.confirmed.status)).toMatchObject({ activity: 'idle' });
  });

  it('work without their mirror', async () => {
    const { send, subscribe, release } = await openChat(await join(), 'ahp-session:/bound');
    let calls = 0;
    const stop = subscribe(() => calls++);
    expect((await (await send('/say hello')).finished()).state).toBe('complete');
    expect(calls).toBeGreaterThan(0);
    stop();
    release();
  });
});

describe('the list of sessions', () => {
  it('is loaded in pages, follows what others do, and is complete again after a restart of the host', async () => {
    const [alice, bob] = [await join(), await join()];
    for (const name of ['a', 'b', 'c', 'd']) await alice.request('createSession', { channel: `ahp-session:/${name}` });
    const list = await bob.sessions({ pageSize: 3 });
    expect([list.items.length, list.hasMore]).toEqual([3, true]);
    expect(await list.loadMore()).toBe(false);
    expect(names(list)).toEqual(['a', 'b', 'c', 'd']);

    await alice.request('createSession', { channel: 'ahp-session:/e' });
    await alice.request('disposeSession', { channel: 'ahp-session:/a' });
    await (await alice.session('ahp-session:/b')).dispatch({ type: 'session/titleChanged', title: 'Renamed' });
    await changed(list, () => names(list).join() === 'b,c,d,e' && titleOf(list, 'b') === 'Renamed');

    const port = Number(new URL(host.url).port);
    await host.stop();
    await changed(list, () => list.status === 'stale');
    await host.start(port);
    await changed(list, () => list.status === 'live');
    expect(names(list)).toEqual(['b', 'c', 'd', 'e']);
    bob.close();
    expect(list.status).toBe('gone');
  });

  it('shows a session that is not loaded as soon as something happens in it', async () => {
    const [alice, bob] = [await join(), await join()];
    for (const name of ['a', 'b', 'c']) await alice.request('createSession', { channel: `ahp-session:/${name}` });
    const list = await bob.sessions({ pageSize: 1 });
    const hidden = ['a', 'b', 'c'].find((name) => !names(list).includes(name)) ?? '';
    const { defaultChat = '' } = (await alice.session(`ahp-session:/${hidden}`)).confirmed;
    await (await alice.chat(defaultChat)).send('/title Now\n/say done');
    await changed(list, () => titleOf(list, hidden) === 'Now');
    expect(list.hasMore).toBe(true);
  });
});

function names({ items }: SessionList): string[] {
  return items.map(({ resource }) => resource.slice('ahp-session:/'.length)).sort();
}

function titleOf({ items }: SessionList, name: string): string | undefined {
  return items.find(({ resource }) => resource === `ahp-session:/${name}`)?.title;
}

function changed(list: SessionList, isReached: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isReached()) return;
      stop();
      resolve();
    };
    const stop = list.subscribe(check);
    check();
  });
}
