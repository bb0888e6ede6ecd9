import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callsOf, chatState, PATIENT, startTurn, turn } from '../support/actions.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { EVERYTHING, serverIs, serversIn } from '../support/mcp.js';
import { processesWith, useMark } from '../support/processes.js';
import { removeFolder } from '../support/remove-folder.js';
import { WireClient } from '../support/wire-client.js';

const mark = useMark();
let folder: string;
let work: string;
let host: HostProcess | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-mcp-cli-')));
  work = join(folder, 'work');
  mkdirSync(work);
});
afterEach(async () => {
  await host?.kill();
  host = undefined;
  await removeFolder(folder);
});

async function serve(mcpServers: object): Promise<WireClient> {
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify({ mcpServers }));
  const args = ['--data-dir', join(folder, 'data'), '--root', work, '--config', file, '--log-level', 'debug'];
  host = await startHostProcess(args);
  return WireClient.connect({ url: host.url, token: host.token });
}

const configured = () => ({
  everything: { command: process.execPath, args: [EVERYTHING, 'stdio'], env: { MARK: mark.text } },
});

async function newSession(client: WireClient): Promise<{ session: string; chat: string }> {
  const session = sessionUri.format(crypto.randomUUID());
  const workingDirectory = pathToFileURL(work).href;
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories: [workingDirectory] });
  const { defaultChat: chat = '' } = await client.subscribe<SessionState>(session);
  await client.subscribe(chat);
  return { session, chat };
}

describe('moorage serve', () => {
  it('runs the servers of its configuration for sessions, tells of them, and ends them when it stops', async () => {
    const client = await serve(configured());
    expect(processesWith(mark.text)).toEqual([]); // nobody needs one yet
    const { session, chat } = await newSession(client);
    const server = await serverIs(client, session, 'ready');
    expect(server.uri).toBe(`${pathToFileURL(join(folder, 'config.json')).href}#/mcpServers/everything`);
    await turn(client, chat, '/mcp everything echo {"message": "hello"}');
    expect(callsOf((await chatState(client, chat)).turns[0]?.responseParts)).toMatchObject([
      { success: true, content: [{ text: 'Echo: hello' }] },
    ]);
    expect(host?.stderr()).not.toContain(mark.text);
    await client.close();
    expect(await host?.stop()).toBe(0);
    expect(processesWith(mark.text)).toEqual([]);
  });

  it('that is killed leaves no server behind, and shows none as running in its next life', async () => {
    const first = await serve(configured());
    const { session, chat } = await newSession(first);
    await serverIs(first, session, 'ready');
    startTurn(first, chat, '/mcp everything trigger-long-running-operation {"duration": 600, "steps": 600}');
    await first.action(chat, 'chat/toolCallReady');
    expect(processesWith(mark.text)).not.toEqual([]);
    await host?.kill();
    await expect.poll(() => processesWith(mark.text), PATIENT).toEqual([]);
    await first.closed;
    const second = await serve(configured());
    const [shown] = await serversIn(second, session);
    expect(shown?.state.kind).not.toBe('ready');
    await serverIs(second, session, 'ready');
    await second.subscribe(chat);
    expect((await chatState(second, chat)).turns.at(-1)).toMatchObject({ state: 'error' });
    await turn(second, chat, '/mcp everything echo {"message": "again"}');
    expect(callsOf((await chatState(second, chat)).turns.at(-1)?.responseParts)).toMatchObject([{ success: true }]);
    await second.close();
  });

  it.each([
    [{ x: {} }, 'mcpServers.x: expected a member "command"'],
    [{ x: { url: 'ftp://a' } }, 'mcpServers.x.url: expected an http or https address'],
    [
      { x: { url: 'http://a', headers: { A: 1 } } },
      'mcpServers.x.headers: expected an object whose values are strings',
    ],
    [{ x: { command: 'a', url: 'http://a' } }, 'mcpServers.x.command: expected one of the keys'],
    [{ x: { command: 'a', sampling: 'yes' } }, 'mcpServers.x.sampling: expected true or false'],
  ])('refuses a wrong configuration: %j', async (servers, problem) => {
    await expect(serve(servers)).rejects.toThrow(problem);
  });
});
