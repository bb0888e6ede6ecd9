import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeClock } from '@moorage/host';
import { type ChangesetState, type ChatState, changesetUri, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { approval, endedIn } from '../support/actions.js';
import { run } from '../support/run-from-small-process.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;

/** Moved by hand past the moment in which a change still counts as that of the last tool call. */
let later = 0;

beforeEach(async () => {
  later = 0;
  host = new TestHost({
    clock: { ...nodeClock, now: () => Date.now() + later },
    workspaces: workspacesIn,
  });
  run('git', ['init', '-q', '-b', 'main', host.workspace]);
  await host.start();
  client = await host.client();
  ({ session, chat } = await host.session(client));
  const state = await client.subscribe<SessionState>(session);
  if (!state.changesets) await client.action(session, 'session/changesetsChanged');
});
afterEach(() => host.dispose());

function begin(turnId: string, script: string, on = chat): void {
  client.dispatch(on, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId,
    message: userMessage(script),
  });
}

function ended(turnId: string, on = chat): Promise<unknown> {
  const ends = new Set(['chat/turnComplete', 'chat/turnCancelled', 'chat/error']);
  return client.envelope(
    (e) => e.channel === on && ends.has(e.action.type) && 'turnId' in e.action && e.action.turnId === turnId,
  );
}

async function names(watcher: WireClient, uri: string): Promise<string[]> {
  let state = await watcher.subscribe<ChangesetState>(uri);
  if (state.status === 'computing') {
    await watcher.envelope((e) => e.channel === uri && e.action.type === 'changeset/contentChanged');
    state = await watcher.subscribe<ChangesetState>(uri);
  }
  return state.files.map((file) => file.id.slice(file.id.lastIndexOf('/') + 1)).sort();
}

/** Writes a file as the user would, and waits until the host has seen it. */
async function byHand(name: string): Promise<void> {
  later += 5_000;
  const uri = changesetUri(session, { kind: 'uncommitted' });
  await names(client, uri);
  writeFileSync(join(host.workspace, name), 'by hand\n');
  await client.envelope((e) => e.channel === uri && JSON.stringify(e.action).includes(`/${name}"`));
}

it("a file that the user changes while the agent waits is not the turn's", async () => {
  begin('t1', '/write a.txt from the agent\\n');
  const { toolCallId } = await client.action(chat, 'chat/toolCallReady');
  await byHand('mine.txt');
  client.dispatch(chat, approval('t1', toolCallId));
  await ended('t1');
  expect(await names(client, changesetUri(session, { kind: 'turn', turnId: 't1' }))).toEqual(['a.txt']);
  expect(await names(client, changesetUri(session, { kind: 'session' }))).toEqual(['a.txt']);
  const uncommitted = changesetUri(session, { kind: 'uncommitted' });
  await client.envelope((e) => e.channel === uncommitted && JSON.stringify(e.action).includes('/a.txt"'));
  expect(await names(client, uncommitted)).toEqual(['a.txt', 'mine.txt']);
});

it('shows the edits of a turn while it runs, and keeps them when it is cancelled', async () => {
  const uri = changesetUri(session, { kind: 'turn', turnId: 't1' });
  begin('t1', '/auto on\n/write a.txt one\\n\n/ask Go on?\n/write b.txt two\\n');
  await client.action(chat, 'chat/inputRequested');
  expect(await names(client, uri)).toEqual(['a.txt']);
  client.dispatch(chat, { type: 'chat/turnCancelled', duration: 0, turnId: 't1' });
  await client.action(session, 'session/changesetsChanged', 2);
  expect(await names(client, uri)).toEqual(['a.txt']);
});

it('two chats that work in one folder at the same time are kept apart', async () => {
  const other = host.newChatUri();
  await client.request('createChat', { channel: session, chat: other });
  await client.subscribe(other);
  begin('waits', '/auto on\n/write first.txt 1\\n\n/ask Ready?\n/write last.txt 1\\n');
  const { request } = await client.action(chat, 'chat/inputRequested');
  await byHand('between.txt'); // so that what the first chat wrote is settled
  begin('works', '/auto on\n/write other.txt 2\\n', other);
  await ended('works', other);
  client.dispatch(chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'cancel' });
  await ended('waits');
  expect(await names(client, changesetUri(session, { kind: 'turn', turnId: 'works' }))).toEqual(['other.txt']);
  const waited = await names(client, changesetUri(session, { kind: 'turn', turnId: 'waits' }));
  expect(waited).toContain('first.txt');
  expect(waited).not.toContain('between.txt');
});

it('turns of the same name in two sessions are kept apart', async () => {
  const other = await host.session(client);
  begin('t1', '/auto on\n/write first.txt 1\\n\n/ask Ready?\n/say done');
  const { request } = await client.action(chat, 'chat/inputRequested');
  await byHand('between.txt');
  begin('t1', '/auto on\n/write other.txt 2\\n', other.chat);
  await ended('t1', other.chat);
  await byHand('later.txt'); // the first one is watched on
  client.dispatch(chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'cancel' });
  await ended('t1');
  expect(await names(client, changesetUri(other.session, { kind: 'turn', turnId: 't1' }))).toEqual(['other.txt']);
  expect(await names(client, changesetUri(session, { kind: 'turn', turnId: 't1' }))).toEqual(['first.txt']);
});

it('a turn that the host died under still shows what it had changed', async () => {
  begin('t1', '/auto on\n/write a.txt one\\n\n/wait 1000000');
  await client.action(chat, 'chat/toolCallComplete');
  await client.close();
  await host.restart();
  const survivor = await host.client();
  const { turns } = await survivor.subscribe<ChatState>(chat);
  expect(turns[0]).toMatchObject({ ...endedIn({ errorType: 'hostRestarted' }) });
  expect(await names(survivor, changesetUri(session, { kind: 'turn', turnId: 't1' }))).toEqual(['a.txt']);
});

it('a cancelled turn that the host died under ends before the next begins', async () => {
  const never = testAgent({ prompt: () => new Promise(() => {}) });
  const first = await TestHost.start({ agents: [never], workspaces: workspacesIn });
  const before = await first.client();
  const made = await first.session(before, { provider: 'test' });
  const startedAt = new Date().toISOString();
  const start = (turnId: string) => ({
    type: 'chat/turnStarted' as const,
    turnId,
    startedAt,
    message: userMessage('go'),
  });
  before.dispatch(made.chat, start('t1'));
  await expect.poll(() => never.turns, { timeout: 20_000 }).toHaveLength(1);
  before.dispatch(made.chat, { type: 'chat/turnCancelled', duration: 0, turnId: 't1' });
  await before.action(made.chat, 'chat/turnCancelled');
  const second = await first.afterCrash({ agents: [testAgent()] });
  const survivor = await second.client();
  await survivor.subscribe(made.chat);
  survivor.dispatch(made.chat, start('t2'));
  await survivor.action(made.chat, 'chat/turnComplete');
  writeFileSync(join(first.workspace, 'later.txt'), 'by hand\n');
  const uncommitted = changesetUri(made.session, { kind: 'uncommitted' });
  await expect.poll(() => names(survivor, uncommitted), { timeout: 20_000 }).toEqual(['later.txt']);
  expect(await names(survivor, changesetUri(made.session, { kind: 'session' }))).toEqual([]);
  await second.dispose();
  await first.dispose();
});
