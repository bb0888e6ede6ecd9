import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type McpConnection, nodeClock, nodePtys, type Ptys } from '@moorage/host';
import { type ChangesetState, type ChatState, changesetUri, type SessionState } from '@moorage/protocol';
import { afterEach, expect, it } from 'vitest';
import { PATIENT, startTurn, turn } from '../support/actions.js';
import { instead } from '../support/held-look.js';
import { everything, serverIs } from '../support/mcp.js';
import { processesWith } from '../support/processes.js';
import { TerminalView } from '../support/terminals.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost, type TestHostOptions } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let host: TestHost;
let client: WireClient;
afterEach(() => host.dispose());

/** Contents of which no two are alike: looking at them all takes git a while. */
function fill(folder: string): void {
  execFileSync('git', ['-C', folder, 'init', '-q']);
  for (let part = 0; part < 30; part++) {
    mkdirSync(join(folder, `part-${part}`));
    for (let n = 0; n < 100; n++) writeFileSync(join(folder, `part-${part}/${n}.txt`), `${part} ${n}\n`.repeat(200));
  }
}

async function start(options: TestHostOptions = {}): Promise<void> {
  host = new TestHost({
    workspaces: workspacesIn,
    ...options,
  });
  fill(host.workspace);
  await host.start();
  client = await host.client();
}

/** Whoever writes into the host's folder names it in its arguments or its environment. */
const atWork = () => processesWith(join(host.folder, 'workspaces'));
const left = () => readdirSync(host.folder, { recursive: true }).map(String).sort();
const isQuiet = () =>
  expect(host.logged.filter((line) => /changeset.record-failed|host.stop-failed|closed/.test(line))).toEqual([]);

it('a host that stops while git looks at a folder gives that up, and leaves nothing at work', async () => {
  await start();
  const session = host.newSessionUri();
  const workingDirectory = host.workspaceUri;
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories: [workingDirectory] });
  await expect.poll(() => atWork().length, PATIENT).toBeGreaterThan(0);
  await host.stop();
  expect(atWork()).toEqual([]);
  const files = left();
  expect(files.filter((name) => /\.lock$|tmp_/.test(name))).toEqual([]);
  isQuiet();

  await host.start();
  expect(left().length).toBeGreaterThanOrEqual(files.length);
  client = await host.client();
  await client.subscribe(session);
  const uncommitted = changesetUri(session, { kind: 'uncommitted' });
  await client.subscribe(uncommitted);
  const shown = async () => (await client.subscribe<ChangesetState>(uncommitted)).files.length;
  await expect.poll(shown, PATIENT).toBeGreaterThanOrEqual(3_000);
});

it('programs of agents, servers and terminals end at the same time: each may need most of what a stop may take', async () => {
  const asked = new Set<string>(); // a terminal may be asked twice
  const end = async (what: string) => {
    asked.add(what);
    await expect.poll(() => asked.size, PATIENT).toBe(3);
  };
  const real = nodePtys();
  const ptys: Ptys = {
    spawn: (options) => {
      const pty = real.spawn(options);
      const kill = pty.kill.bind(pty);
      pty.kill = () => void end('terminal').finally(kill);
      return pty;
    },
  };
  const connection: McpConnection = {
    offers: { logging: false },
    listTools: async () => [],
    callTool: () => Promise.reject(new Error('there are no tools')),
    request: async () => ({}),
    close: () => end('server'),
  };
  host = await TestHost.start({
    agents: [testAgent({ closing: () => end('agent') })],
    terminals: { ptys },
    mcp: { servers: [everything('')], client: { connect: async () => connection } },
  });
  client = await host.client();
  const { session, chat } = await host.session(client, { provider: 'test' });
  await turn(client, chat, 'hello');
  await serverIs(client, session, 'ready');
  await TerminalView.open(client);
  await host.stop();
  expect([...asked].toSorted()).toEqual(['agent', 'server', 'terminal']);
});

it('nothing that does not end keeps a host from stopping, and all that was said is stored', async () => {
  const never = new Promise<never>(() => {});
  const real = nodePtys();
  const killed: (() => void)[] = [];
  const ptys: Ptys = {
    spawn: (options) => {
      const pty = real.spawn(options);
      killed.push(pty.kill.bind(pty));
      pty.kill = () => {};
      return pty;
    },
  };
  const connection: McpConnection = {
    offers: { logging: false },
    listTools: async () => [],
    callTool: () => Promise.reject(new Error('there are no tools')),
    request: async () => ({}),
    close: () => never,
  };
  const agent = () =>
    testAgent({
      prompt: async (turn) => {
        turn.emit({ kind: 'text', text: 'so far' });
        return never;
      },
      closing: () => never,
    });
  // What is waited for by the clock takes a hundredth of its time.
  const clock = { ...nodeClock, setTimeout: (run: () => void, ms: number) => nodeClock.setTimeout(run, ms / 100) };
  host = await TestHost.start({
    agents: () => [agent()],
    clock,
    terminals: { ptys },
    mcp: { servers: [everything('')], client: { connect: async () => connection } },
    workspaces: (folder) => instead(workspacesIn(folder), { close: () => never }),
  });
  client = await host.client();
  const { session, chat } = await host.session(client, { provider: 'test' });
  const turnId = startTurn(client, chat, 'hello');
  await client.action(chat, 'chat/responsePart');
  await serverIs(client, session, 'ready');
  await TerminalView.open(client);
  await host.stop();
  expect(host.logged.filter((line) => line.startsWith('host.stop-timed-out'))).toEqual([
    expect.stringContaining('turns, MCP servers, terminals'),
    expect.stringContaining('looks at folders'),
  ]);
  for (const kill of killed) kill();

  await host.start();
  client = await host.client();
  const { turns } = await client.subscribe<ChatState>(chat);
  expect(turns).toMatchObject([
    { id: turnId, state: 'error', responseParts: [{ content: 'so far' }, { kind: 'error' }] },
  ]);
});

it('what a turn did before the host stopped is remembered as the turn left it', async () => {
  const agent = testAgent({
    prompt: async (turn) => {
      turn.emit({ kind: 'toolCallStart', toolCallId: 'call', toolName: 'write', displayName: 'Write' });
      turn.emit({ kind: 'toolCallRunning', toolCallId: 'call', invocationMessage: 'Write', toolInput: '' });
      writeFileSync(join(host.workspace, 'by-agent.txt'), 'agent\n');
      turn.emit({ kind: 'text', text: 'written' });
      await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve()));
      return undefined;
    },
  });
  await start({ agents: () => [agent] });
  const { session, chat } = await host.session(client, { provider: 'test' });
  const turnId = startTurn(client, chat, 'write');
  await client.action(chat, 'chat/responsePart');
  await host.stop();
  expect(atWork()).toEqual([]);
  isQuiet();
  writeFileSync(join(host.workspace, 'by-user.txt'), 'while it was away\n');

  await host.start();
  client = await host.client();
  const { changesets } = await client.subscribe<SessionState>(session);
  const uri = changesetUri(session, { kind: 'turn', turnId });
  const files = async () => (await client.subscribe<ChangesetState>(uri)).files.map(({ id }) => id.split('/').at(-1));
  await expect.poll(files, PATIENT).toEqual(['by-agent.txt']);
  expect(changesets).toBeDefined();
});
