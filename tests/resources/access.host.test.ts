import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ChatInputRequest, type ChatState, CloseCodes, openRequests, ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, chatState, endedIn, PATIENT, reasonFor, startTurn, turn } from '../support/actions.js';
import { FailingStore, holds } from '../support/failing-store.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const channel = ROOT_URI;
const store = new FailingStore();
let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let outside: string;
let chat: string;
let session: string;
beforeEach(async () => {
  agent = new GatedAgent();
  store.recover();
  host = await TestHost.start({ agents: [agent], store: store.wrap });
  client = await host.client({ clientId: 'asker' });
  outside = await realpath(await mkdtemp(join(tmpdir(), 'moorage-outside-')));
  writeFileSync(join(outside, 'a.txt'), 'a');
  mkdirSync(join(outside, 'dir'));
  writeFileSync(join(outside, 'dir/b.txt'), 'b');
  ({ session, chat } = await activeSession(client));
});
afterEach(async () => {
  await host.dispose({ expectErrors: /store\.commit-failed/ });
  await rm(outside, { recursive: true, force: true });
});

function activeSession(of: WireClient) {
  return host.session(of, {
    provider: 'test',
    activeClient: { clientId: of.clientId, displayName: 'My editor', tools: [] },
  });
}

const uri = (name: string) => pathToFileURL(join(outside, name)).href;
const ask = (name: string, flags: object = {}, from = client) =>
  from.request('resourceRequest', { channel, uri: uri(name), ...flags });
const read = (name: string, from = client) => from.request('resourceRead', { channel, uri: uri(name) });
const write = (name: string) =>
  client.request('resourceWrite', { channel, uri: uri(name), data: 'new', encoding: 'utf-8' });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: number }) => error.code,
  );
const question = async (count = 1): Promise<ChatInputRequest> =>
  (await client.action(chat, 'chat/inputRequested', count)).request;
const answer = (request: ChatInputRequest, choice: string, from = client) =>
  accepted(from, chat, {
    type: 'chat/inputCompleted',
    requestId: request.id,
    response: 'accept',
    answers: { access: { state: 'submitted', value: { kind: 'selected', value: choice } } },
  });
/** Asks, and lets the user choose. */
async function granted(name: string, choice: string, flags: object = {}, count = 1): Promise<void> {
  const asking = ask(name, flags);
  await answer(await question(count), choice);
  expect(await asking).toEqual({});
}

describe('resourceRequest', () => {
  it('is a question to the user, who sees who wants what, and where it leads (B-294)', async () => {
    symlinkSync(join(outside, 'a.txt'), join(host.workspace, 'link'));
    const asking = client.request('resourceRequest', { channel, uri: `${host.workspaceUri}/link`, write: true });
    const request = await question();
    expect(request.message).toContain('"My editor" wants to change');
    expect(request.message).toContain(join(outside, 'a.txt'));
    expect(request.questions).toMatchObject([{ kind: 'single-select', required: true }]);
    expect((await chatState(client, chat)).status).toBe(24); // input needed, though no turn runs
    expect(await codeOf(read('a.txt'))).toBe(-32009);
    await answer(request, 'session');
    await asking;
    expect(openRequests(await chatState(client, chat))).toEqual([]);
    await client.request('resourceWrite', { channel, uri: `${host.workspaceUri}/link`, data: 'x', encoding: 'utf-8' });
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('x');
  });

  it('may be answered by any client of the session, and denied in every way', async () => {
    const bob = await host.client();
    await bob.subscribe(chat);
    for (const [index, response] of (['deny', 'decline', 'cancel'] as const).entries()) {
      const asking = codeOf(ask('a.txt'));
      const request = await question(index + 1);
      if (response === 'deny') await answer(request, 'deny', bob);
      else await accepted(bob, chat, { type: 'chat/inputCompleted', requestId: request.id, response });
      expect(await asking).toBe(-32009);
      expect(await codeOf(read('a.txt'))).toBe(-32009);
    }
  });

  it('grants reading and writing separately, and what is below', async () => {
    await granted('dir', 'session');
    expect(await read('dir/b.txt')).toMatchObject({ data: 'b' });
    expect(await codeOf(write('dir/b.txt'))).toBe(-32009);
    expect(await codeOf(read('a.txt'))).toBe(-32009);
    await granted('dir', 'session', { read: true, write: true }, 2);
    expect((await question(2)).message).toContain('wants to change'); // reading was allowed already
    await write('dir/b.txt');
    expect(readFileSync(join(outside, 'dir/b.txt'), 'utf8')).toBe('new');
    expect(await ask('dir/b.txt', { read: true, write: true })).toEqual({}); // nothing left to ask
  });

  it('once: for one operation', async () => {
    await granted('a.txt', 'once');
    expect(await read('a.txt')).toMatchObject({ data: 'a' });
    expect(await codeOf(read('a.txt'))).toBe(-32009);
  });

  it('for the session: until it ends, or the client disconnects; for nobody else (OQ-95)', async () => {
    const bob = await host.client();
    await granted('a.txt', 'session');
    expect(await codeOf(read('a.txt', bob))).toBe(-32009);
    await read('a.txt');
    await client.request('disposeSession', { channel: session });
    expect(await codeOf(read('a.txt'))).toBe(-32009);
    ({ session, chat } = await activeSession(client));
    await granted('a.txt', 'session');
    await host.leave(client);
    client = await host.client({ clientId: 'asker' });
    expect(await codeOf(read('a.txt'))).toBe(-32009);
  });

  it('follows its client id: to whoever has the credential of that id, and to no other', async () => {
    await granted('a.txt', 'always');
    const params = { channel, clientId: 'asker' };
    const stranger = await host.rawClient({ clientId: 'asker', token: host.otherToken });
    const versions = { ...params, protocolVersions: ['1.0.0'] };
    expect(await stranger.refused('initialize', versions)).toMatchObject({ code: -32600 });
    const seen = { ...params, lastSeenServerSeq: 0, subscriptions: [] };
    expect(await stranger.refused('reconnect', seen)).toMatchObject({ code: -32600 });
    const other = await host.client({ clientId: 'other', token: host.otherToken });
    expect(await codeOf(read('a.txt', other))).toBe(-32009);
    expect(await read('a.txt')).toMatchObject({ data: 'a' }); // its client was not thrown out
    const { client: again } = await host.reconnect({ clientId: 'asker', clientSeq: 0, lastSeen: 0 }, []);
    expect((await client.closed).code).toBe(CloseCodes.Replaced);
    expect(await read('a.txt', again)).toMatchObject({ data: 'a' });
  });

  it('always: for that client, also after a restart', async () => {
    await granted('a.txt', 'always');
    const crashed = await host.afterCrash();
    const again = await crashed.client({ clientId: 'asker' });
    expect(await read('a.txt', again)).toMatchObject({ data: 'a' });
    expect(await codeOf(read('a.txt', await crashed.client({ clientId: 'other' })))).toBe(-32009);
    await crashed.dispose();
  });

  it('always: also when two are answered at once', async () => {
    const asking = Promise.all([ask('a.txt'), ask('dir')]);
    const requests = [await question(1), await question(2)];
    await Promise.all(requests.map((request) => answer(request, 'always')));
    await asking;
    expect(await read('a.txt')).toMatchObject({ data: 'a' });
    expect(await read('dir/b.txt')).toMatchObject({ data: 'b' });
  });

  it('is refused with what to do when nobody can be asked', async () => {
    const bob = await host.client();
    const error = await bob.refused('resourceRequest', { channel, uri: uri('a.txt') });
    expect(error).toMatchObject({ code: -32009, data: {} });
    expect(error.message).toMatch(/active client of a session.*--root/);
    expect(await bob.request('resourceRequest', { channel, uri: host.workspaceUri, write: true })).toEqual({});
  });

  it('outlives the turn that runs, and is taken back when the client goes', async () => {
    const bob = await host.client();
    await bob.subscribe(chat);
    const turnId = startTurn(client, chat, 'go');
    await expect.poll(() => agent.turns.length, PATIENT).toBe(1);
    const asking = codeOf(ask('a.txt'));
    const { id } = await question();
    agent.open();
    await client.envelope(({ action }) => action.type === 'chat/turnComplete' && action.turnId === turnId);
    expect((await question(2)).id).toBe(id);
    await host.leave(client);
    expect(await asking).not.toBe('done');
    expect(await bob.action(chat, 'chat/inputCompleted')).toMatchObject({ requestId: id, response: 'cancel' });
    client = bob;
    agent.openAll();
    await turn(bob, chat, 'still works');
  });

  it('opens a turn of the host where none runs, which ends with the answer', async () => {
    const asking = ask('a.txt');
    const request = await question();
    expect(agent.turns).toEqual([]);
    const waiting = { type: 'chat/turnStarted', startedAt: new Date().toISOString(), turnId: 'mine' };
    expect(await reasonFor(client, chat, { ...waiting, message: userMessage('go') })).toContain('already active');
    await answer(request, 'once');
    expect(await asking).toEqual({});
    const { activeTurn, turns } = await chatState(client, chat);
    expect(activeTurn).toBeUndefined();
    expect(turns).toMatchObject([{ state: 'complete', responseParts: [{ kind: 'inputRequest', response: 'accept' }] }]);
    expect(agent.turns).toEqual([]);
  });

  it('is denied when the user ends the turn that asks', async () => {
    const asking = codeOf(ask('a.txt'));
    await question();
    const turnId = (await chatState(client, chat)).activeTurn?.id;
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    expect(await asking).toBe(-32009);
    agent.openAll();
    await turn(client, chat, 'still works');
  });

  it('is taken back after a crash, with the turn that only asked', async () => {
    void ask('a.txt').catch(() => undefined);
    await question();
    const crashed = await host.afterCrash({ agents: [new GatedAgent()] });
    const state = await (await crashed.client()).subscribe<ChatState>(chat);
    expect(state.activeTurn).toBeUndefined();
    expect(state.turns).toMatchObject([{ state: 'complete', responseParts: [{ response: 'cancel' }] }]);
    await crashed.dispose();
  });

  it('is taken back after a crash, and a turn is not taken for one that waits', async () => {
    startTurn(client, chat, 'go');
    await expect.poll(() => agent.turns.length, PATIENT).toBe(1);
    void ask('a.txt').catch(() => undefined);
    await question();
    const crashed = await host.afterCrash({ agents: [new GatedAgent()] });
    const state = await (await crashed.client()).subscribe<ChatState>(chat);
    expect(state).toMatchObject({ turns: [{ ...endedIn({ errorType: 'hostRestarted' }) }] });
    await crashed.dispose();
  });

  it('is denied when the session ends, or the question cannot be stored', async () => {
    store.fail(holds('chat/inputRequested'));
    expect(await codeOf(ask('a.txt'))).toBe(-32009);
    store.recover();
    const asking = codeOf(ask('a.txt'));
    await question();
    await client.request('disposeSession', { channel: session });
    expect(await asking).toBe(-32009);
  });

  it('is withdrawn when its client leaves, also if that cannot be stored at first', async () => {
    const other = await host.client();
    void ask('a.txt').catch(() => undefined);
    await question();
    store.fail(holds('chat/inputCompleted'));
    const { failures } = store;
    await host.leave(client);
    await expect.poll(() => store.failures, PATIENT).toBeGreaterThan(failures);
    store.recover();
    await expect.poll(async () => (await chatState(other, chat)).activeTurn, PATIENT).toBeUndefined();
    expect((await chatState(other, chat)).turns).toMatchObject([{ responseParts: [{ response: 'cancel' }] }]);
  });

  it('asks once for the same thing, and only so many things at once', async () => {
    const both = [ask('a.txt'), ask('a.txt')];
    await answer(await question(), 'session');
    expect(await Promise.all(both)).toEqual([{}, {}]);
    const many = Array.from({ length: 17 }, (_, index) => codeOf(ask(`many-${index}`)));
    expect(await Promise.race(many)).toBe(-32600); // any of them: their paths are looked up at the same time
    await client.request('disposeSession', { channel: session });
    const codes = await Promise.all(many);
    expect(codes.filter((code) => code === -32009)).toHaveLength(16);
  });
});
