import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatState, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endedIn, turn } from '../support/actions.js';
import type { WireClient } from '../support/wire-client.js';
import { runTurn, WorktreeBench, worktreeIn } from '../support/worktree-bench.js';

let bench: WorktreeBench;
let client: WireClient;
beforeEach(async () => {
  bench = new WorktreeBench();
  bench.makeRepository();
  await bench.host.start();
  client = await bench.host.client({ subscriptions: [ROOT_URI] });
});
afterEach(() => bench.host.dispose());

it('a session is back in the work tree that was kept, and nothing is said of its end any more', async () => {
  const { session, chat, path } = await bench.session(client, { worktreeOnEnd: 'remove-if-clean' });
  writeFileSync(join(path, 'new.txt'), 'not committed');
  await client.request('disposeSession', { channel: session });
  await client.request('restoreSession', { channel: session });
  const { _meta, workingDirectories } = await client.subscribe<SessionState>(session);
  expect(_meta?.['moorage.worktree']).toBeUndefined();
  expect(workingDirectories?.[0]).toContain(path);
  await client.subscribe(chat);
  await runTurn(client, chat, '/write more.txt x');
  expect(existsSync(join(path, 'more.txt'))).toBe(true);
  await client.request('disposeSession', { channel: session });
  expect(await worktreeIn(client, session, 2)).toMatchObject({ path, kept: true });
});

it('a session whose work tree goes comes back when that has gone, also after a restart, and says so', async () => {
  const made = await bench.session(client, { worktreeOnEnd: 'remove-if-clean' });
  const other = await bench.session(client, { worktreeOnEnd: 'remove-if-clean' });
  const { session, chat, path } = made;
  await client.request('disposeSession', { channel: session });
  await client.request('restoreSession', { channel: session }); // while it goes
  expect(existsSync(path)).toBe(false);
  await client.request('disposeSession', { channel: other.session });
  await bench.host.restart();
  client = await bench.host.client({ subscriptions: [ROOT_URI] });
  await client.request('restoreSession', { channel: other.session });
  expect(existsSync(other.path)).toBe(false);
  expect((await client.subscribe<SessionState>(session))._meta).toMatchObject({ 'moorage.worktree': { kept: false } });
  await client.subscribe(chat);
  const turnId = await turn(client, chat, '/say hello');
  const { turns } = await client.subscribe<ChatState>(chat);
  expect(turns.find(({ id }) => id === turnId)).toMatchObject(endedIn({ errorType: 'noFolder' }));
});

it('a session that ended while its work tree was made comes back without one', async () => {
  const session = bench.host.newSessionUri();
  const config = { isolation: 'worktree' };
  const workingDirectory = bench.host.workspaceUri;
  await client.request('createSession', {
    channel: session,
    provider: 'demo',
    workingDirectories: [workingDirectory],
    config,
  });
  await client.request('disposeSession', { channel: session });
  await client.request('restoreSession', { channel: session });
  const state = await client.subscribe<SessionState>(session);
  if (state.lifecycle === 'creating') await client.action(session, 'session/ready');
  expect(state.chats).toHaveLength(1);
  await bench.host.restart();
  client = await bench.host.client();
  expect((await client.subscribe<SessionState>(session)).lifecycle).toBe('ready');
});
