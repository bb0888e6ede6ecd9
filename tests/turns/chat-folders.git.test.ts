import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChatState, SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { runTurn } from '../support/worktree-bench.js';

let host: TestHost;
let client: WireClient;
let session: string;
let first: string;
let folder: string;
beforeEach(async () => {
  host = await TestHost.start();
  mkdirSync(join(host.workspace, 'app'));
  folder = pathToFileURL(join(host.workspace, 'app')).href;
  client = await host.client();
  ({ session, chat: first } = await host.session(client));
});
afterEach(() => host.dispose());

async function chatIn(workingDirectory: string, more: object = {}): Promise<string> {
  const chat = host.newChatUri();
  const params = { channel: session, chat, workingDirectories: [workingDirectory], ...more };
  await client.request('createChat', params);
  await client.subscribe(chat);
  return chat;
}

it('a chat works in a folder of its own, with its terminals and sub-agents, also after a restart (B-149)', async () => {
  const chat = await chatIn(folder);
  await runTurn(client, chat, '/write here.txt x\n/run touch by-terminal\n/spawn /write by-sub-agent.txt x');
  for (const name of ['here.txt', 'by-terminal', 'by-sub-agent.txt']) {
    expect(existsSync(join(host.workspace, 'app', name)), name).toBe(true);
  }
  await runTurn(client, first, '/write there.txt x');
  expect(existsSync(join(host.workspace, 'there.txt'))).toBe(true);
  const { chats } = await client.subscribe<SessionState>(session);
  expect(chats.find(({ resource }) => resource === chat)?.workingDirectories).toEqual([folder]);
  expect(chats.find(({ resource }) => resource === first)?.workingDirectories).toBeUndefined();
  await host.restart();
  client = await host.client();
  expect((await client.subscribe<ChatState>(chat)).workingDirectories).toEqual([folder]);
  await runTurn(client, chat, '/write again.txt x');
  expect(existsSync(join(host.workspace, 'app', 'again.txt'))).toBe(true);
});

it('a fork of a chat works where that did', async () => {
  const chat = await chatIn(folder);
  const turnId = await runTurn(client, chat, '/say hello');
  const fork = host.newChatUri();
  await client.request('createChat', { channel: session, chat: fork, source: { kind: 'fork', chat, turnId } });
  expect((await client.subscribe<ChatState>(fork)).workingDirectories).toEqual([folder]);
});

it.each([
  ['file:///etc', -32009],
  ['file:///no/such/folder', -32008],
  ['https://example.org/', -32602],
  [7, -32602],
])('a chat cannot work in %s', async (workingDirectory, code) => {
  const chat = host.newChatUri();
  const refused = await client.refused('createChat', {
    channel: session,
    chat,
    workingDirectories: [workingDirectory],
  });
  expect(refused).toMatchObject({ code });
  expect((await client.subscribe<SessionState>(session)).chats).toHaveLength(1);
});

it('a chat cannot work behind a link that leads out', async () => {
  symlinkSync('/etc', join(host.workspace, 'link'));
  const workingDirectory = pathToFileURL(join(host.workspace, 'link')).href;
  const params = { channel: session, chat: host.newChatUri(), workingDirectories: [workingDirectory] };
  expect(await client.refused('createChat', params)).toMatchObject({ code: -32009 });
});
