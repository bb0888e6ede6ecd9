import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorOf, ROOT_URI, type RootState, type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scripted } from '../support/acp/scripted.js';
import {
  accepted,
  callsOf,
  chatState,
  endedIn,
  PATIENT,
  startTurn,
  textOf,
  turn,
  turnEnd,
} from '../support/actions.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { processesWith, useMark } from '../support/processes.js';
import { removeFolder } from '../support/remove-folder.js';
import { WireClient } from '../support/wire-client.js';

const mark = useMark();
let folder: string;
let work: string;
let host: HostProcess | undefined;
const { PATH } = process.env;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-acp-cli-')));
  work = join(folder, 'work');
  mkdirSync(work);
});
afterEach(async () => {
  await host?.kill();
  host = undefined;
  process.env.PATH = PATH;
  await removeFolder(folder);
});

async function serve(config: object): Promise<WireClient> {
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  host = await startHostProcess(['--data-dir', join(folder, 'data'), '--root', work, '--config', file]);
  return WireClient.connect({ url: host.url, token: host.token });
}

/** The scripted agent as a configuration file names it. */
function configured(env: Record<string, string> = {}) {
  const { command, args, displayName } = scripted();
  return { type: 'acp', displayName, command, args, env: { MARK: mark.text, ...env } };
}

async function newChat(client: WireClient, provider: string): Promise<string> {
  const session = sessionUri.format(crypto.randomUUID());
  await client.request('createSession', { channel: session, provider, workingDirectories: [pathToFileURL(work).href] });
  const { defaultChat = '' } = await client.subscribe<SessionState>(session);
  await client.subscribe(defaultChat);
  return defaultChat;
}

describe('moorage serve', () => {
  it('serves the agents of its configuration, and says what it does not serve yet', async () => {
    const client = await serve({
      agents: {
        mine: configured(),
        local: { type: 'model', api: 'openai', baseURL: 'http://127.0.0.1:1/v1', models: ['none'] },
      },
      mcpServers: {
        files: { command: 'mcp-files', args: ['-x'], env: { A: 'b' } },
        off: { command: 'no', enabled: false },
      },
    });
    const { agents } = await client.subscribe<RootState>(ROOT_URI);
    expect(agents.map(({ provider, displayName }) => [provider, displayName])).toContainEqual(['mine', 'Scripted']);
    expect(agents.map(({ provider }) => provider)).toContain('local');
    const chat = await newChat(client, 'mine');
    await turn(client, chat, '/say hello');
    expect(textOf((await chatState(client, chat)).turns[0])).toBe('hello');
    await turn(client, chat, '/servers');
    const servers = JSON.parse(textOf((await chatState(client, chat)).turns[1]));
    expect(servers).toEqual([{ name: 'files', command: 'mcp-files', args: ['-x'], env: [{ name: 'A', value: 'b' }] }]);
    await client.close();
    expect(await host?.stop()).toBe(0);
    expect(processesWith(mark.text)).toEqual([]);
  });

  it('gives agents that take addresses the tools of the host, if the configuration says so', async () => {
    const client = await serve({ agents: { mine: configured({ SCRIPTED_HTTP: '1' }) }, hostTools: 'on' });
    const other = await newChat(client, 'mine');
    await turn(client, other, '/say a word of the other session');
    const chat = await newChat(client, 'mine');
    await turn(client, chat, '/servers');
    const [server] = JSON.parse(textOf((await chatState(client, chat)).turns[0]));
    expect(server).toMatchObject({ type: 'http', name: 'moorage', url: expect.stringContaining('http://127.0.0.1:') });
    const headers = Object.fromEntries(server.headers.map(({ name, value }: Record<string, string>) => [name, value]));
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_sessions' } }),
    });
    expect(JSON.stringify(await answer.json())).toContain('a word of the other session');
    await client.close();
  });

  it('offers known agents that are on PATH', async () => {
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    const { command, args } = scripted();
    const program = join(programs, 'codex-acp');
    writeFileSync(program, `#!/bin/sh\nMARK=${mark.text} exec '${command}' '${args?.[0]}'\n`);
    chmodSync(program, 0o755);
    process.env.PATH = `${programs}${delimiter}${PATH}`;
    const client = await serve({});
    const { agents } = await client.subscribe<RootState>(ROOT_URI);
    expect(agents).toContainEqual(expect.objectContaining({ provider: 'codex', displayName: 'Codex' }));
    const chat = await newChat(client, 'codex');
    await turn(client, chat, '/say found');
    expect(textOf((await chatState(client, chat)).turns[0])).toBe('found');
    await client.close();
  });

  it('that is killed leaves no process of an agent behind, nor what those have started', async () => {
    const client = await serve({ agents: { mine: configured() } });
    const chat = await newChat(client, 'mine');
    // Its standard input ends as well, but what it has started does not notice that.
    startTurn(client, chat, '/env TMPDIR\n/own echo started; sleep 600');
    await client.action(chat, 'chat/toolCallContentChanged');
    const { activeTurn } = await chatState(client, chat);
    const temporary = textOf(activeTurn).replace('TMPDIR=', '');
    expect(processesWith(mark.text).length).toBeGreaterThan(1);
    expect(readdirSync(temporary)).toEqual([]);
    await host?.kill();
    await expect.poll(() => processesWith(mark.text), PATIENT).toEqual([]);
    await expect.poll(() => processesWith(temporary), PATIENT).toEqual([]);
    expect(() => readdirSync(temporary)).toThrow('ENOENT');
  });

  it.each([
    ['a permission', '/write a.txt new', 'chat/toolCallReady'],
    ['an answer', '/ask Which? | One | Two', 'chat/inputRequested'],
  ] as const)(
    'that is killed while an agent waits for %s says what to do, and the conversation goes on',
    async (...test) => {
      const [, words, asks] = test;
      const agents = { mine: configured({ SCRIPTED_STATE: join(folder, 'sessions.json') }) };
      const client = await serve({ agents });
      const chat = await newChat(client, 'mine');
      await turn(client, chat, '/say before');
      startTurn(client, chat, words);
      await client.action(chat, asks);
      await host?.kill();
      await expect.poll(() => processesWith(mark.text), PATIENT).toEqual([]);
      const one = await serve({ agents });
      const other = await WireClient.connect({ url: host?.url ?? '', token: host?.token ?? '' });
      for (const watcher of [one, other]) {
        const { activeTurn, turns } = await chatState(watcher, chat);
        expect(activeTurn).toBeUndefined();
        expect(turns[1]).toMatchObject({
          ...endedIn({ errorType: 'hostRestarted', message: expect.stringContaining('Send the message again') }),
        });
        expect(turns[1] && errorOf(turns[1])?.message).toContain('waited for you');
        for (const call of callsOf(turns[1]?.responseParts)) expect(call.status).toBe('cancelled');
      }
      expect(readdirSync(work)).toEqual([]);
      await turn(one, chat, '/recall');
      expect(textOf((await chatState(other, chat)).turns[2])).toBe(`I know: /say before | ${words} | /recall`);
      const again = startTurn(one, chat, words);
      const asked = await other.action(chat, asks);
      if ('toolCallId' in asked) {
        const yes = { approved: true, confirmed: 'user-action' };
        const { toolCallId } = asked;
        await accepted(other, chat, { type: 'chat/toolCallConfirmed', turnId: again, toolCallId, ...yes });
        expect(await turnEnd(one, chat, again)).toMatchObject({ type: 'chat/turnComplete' });
        expect(readdirSync(work)).toEqual(['a.txt']);
      }
      await one.close();
      await other.close();
    },
  );

  it.each([
    ['an agent of no type', { mine: { command: 'x' } }, 'agents.mine.type: expected "acp" or "model"'],
    ['an agent without a program', { mine: { type: 'acp' } }, 'agents.mine: expected a member "command"'],
    [
      'a wrong member',
      { mine: { type: 'acp', command: 'x', args: 'y' } },
      'agents.mine.args: expected a list of strings',
    ],
    ['a strange member', { mine: { type: 'acp', command: 'x', arg: [] } }, 'agents.mine.arg: expected one of the keys'],
    ['a name that is taken', { demo: { type: 'acp', command: 'x' } }, 'agents.demo: expected another name'],
    ['no object', { mine: 7 }, 'agents.mine: expected an object'],
  ])('refuses a configuration with %s', async (_what, agents, hint) => {
    await expect(serve({ agents })).rejects.toThrow(hint);
  });
});
