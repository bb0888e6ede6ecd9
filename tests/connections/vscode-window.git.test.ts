import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { demoAgent } from '@moorage/agents/demo';
import { unconfiguredModelAgent } from '@moorage/agents/model';
import {
  type ChangesetState,
  type ChatState,
  type ReconnectReplayResult,
  ROOT_URI,
  type RootState,
  type SessionState,
  type SessionSummary,
  type TerminalState,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approval, PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';
import { commitAll, gitOutput } from '../support/repository.js';
import { run } from '../support/run-from-small-process.js';
import { TestHost, type TestHostOptions } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

/** What a window of VS Code does and relies on, beyond a single turn; each number is explained in docs/PROTOCOL.md. */
let host: TestHost;
let vscode: WireClient;
const start = async (options: TestHostOptions = {}) => {
  host = new TestHost({ workspaces: workspacesIn, ...options });
  write('a.txt', 'one\n');
  run('git', ['init', '-q', '-b', 'main', host.workspace]);
  commitAll(host.workspace);
  await host.start();
  vscode = await window();
};
beforeEach(() => start());
afterEach(() => host.dispose());

function window(): Promise<WireClient> {
  return host.client({ subscriptions: [ROOT_URI], program: 'vscode-editor-window', versions: ['0.9.0', '0.7.0'] });
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(host.workspace, path)), { recursive: true });
  writeFileSync(join(host.workspace, path), content);
}

const listed = () => vscode.request('listSessions', { channel: ROOT_URI });

describe('connecting', () => {
  it('lists every session at once, however many there are (V-4)', async () => {
    const other = await host.client();
    const made = Array.from({ length: 130 }, () => host.newSessionUri());
    for (const channel of made) await other.request('createSession', { channel, provider: 'demo' });
    const { items, nextCursor } = await listed();
    expect(new Set(items.map(({ resource }) => resource))).toEqual(
      new Set(made.map((uri) => uri.replace('ahp-session:', 'demo:'))),
    );
    expect(nextCursor).toBeUndefined();
  });

  it('pings whenever nothing is said, also before the handshake and while a request waits (V-5)', async () => {
    const raw = await host.rawClient();
    expect(await raw.request('ping', { channel: ROOT_URI })).toBeNull();
    const answers: string[] = [];
    const uri = 'virtual://nobody-answers/file';
    const publisher = await host.client({ clientId: 'nobody-answers' });
    publisher.serves.set('resourceRead', () => new Promise(() => {}));
    void vscode.request('resourceRead', { channel: ROOT_URI, uri }).then(
      () => answers.push('file'),
      () => answers.push('error'),
    );
    expect(await vscode.request('ping', { channel: ROOT_URI })).toBeNull();
    expect(answers).toEqual([]);
  });

  it('gets a replay after a break, whether or not the host was restarted and however much it missed (V-8)', async () => {
    const { session, chat } = await host.session(vscode, {}, 'demo:/one');
    await turn(vscode, chat, '/say before');
    const other = await host.client({ subscriptions: [session, chat] });
    await host.leave(vscode);
    for (let count = 0; count < 20; count++) await turn(other, chat, `/say ${'many words '.repeat(20)}`);
    await host.leave(other);
    const missed = other.envelopes.filter(({ serverSeq }) => serverSeq > vscode.lastSeen);
    expect(missed.length).toBeGreaterThan(100);
    await host.restart();
    const { result } = await host.reconnect(vscode, [session, chat]);
    expect(result).toMatchObject({ type: 'replay', missing: [] });
    const { actions } = result as ReconnectReplayResult;
    const numbers = (of: typeof actions) => of.filter(({ channel }) => channel === chat).map((each) => each.serverSeq);
    expect(numbers(actions)).toEqual(numbers(missed));
  });
});

describe('lists', () => {
  it('change by what changed, and never by what was known already (V-25)', async () => {
    const { chat } = await host.session(vscode, {}, 'demo:/one');
    await turn(vscode, chat, '/say listed from now on');
    let known = (await listed()).items[0] as SessionSummary;
    const changes: Partial<SessionSummary>[] = [];
    vscode.socket.on('message', (data) => {
      const { method, params } = JSON.parse(data.toString()) as { method?: string; params?: { changes: object } };
      if (method === 'root/sessionSummaryChanged' && params) changes.push(params.changes);
    });
    const turnId = startTurn(
      vscode,
      chat,
      `/say ${'word '.repeat(200)}\n/write b.txt text\n/say ${'word '.repeat(200)}`,
    );
    const { toolCallId } = await vscode.action(chat, 'chat/toolCallReady');
    vscode.dispatch(chat, approval(turnId, toolCallId));
    await turnEnd(vscode, chat, turnId);
    await vscode.sync();
    expect(changes.length).toBeGreaterThan(2);
    expect(changes.length).toBeLessThan(20); // there were hundreds of actions
    for (const change of changes) {
      for (const [name, value] of Object.entries(change))
        expect(value).not.toEqual(known[name as keyof SessionSummary]);
      known = { ...known, ...change };
    }
    const { activity, ...rest } = known;
    expect(activity).toBe(''); // which takes away what was shown, as null would
    expect((await listed()).items[0]).toMatchObject(rest);
  });

  it('have settings before there is a session, and asking for them makes none (V-29)', async () => {
    const { schema } = await vscode.request('resolveSessionConfig', {
      channel: ROOT_URI,
      provider: 'demo',
      workingDirectory: host.workspaceUri,
      config: { isolation: 'folder', autoApprove: 'default', mode: 'interactive' },
    });
    expect(Object.keys(schema.properties)).toContain('baseBranch');
    expect((await listed()).items).toEqual([]);
    expect((await vscode.subscribe<RootState>(ROOT_URI)).activeSessions).toBe(0);
  });
});

describe('a session', () => {
  it('has its customizations in containers, with a file to read behind each of their children (V-32)', async () => {
    await host.dispose();
    await start({ customizations: { userHome: host.folder } });
    write('AGENTS.md', '# Rules');
    write('.claude/skills/test/SKILL.md', '---\nname: test\ndescription: Tests\n---\nTest.');
    write('.github/prompts/review.prompt.md', 'Review it.');
    const { session } = await host.session(vscode, {}, 'demo:/one');
    const found = async () => (await vscode.subscribe<SessionState>(session)).customizations ?? [];
    await expect.poll(async () => (await found()).length, PATIENT).toBeGreaterThanOrEqual(3);
    for (const container of await found()) {
      expect(container).toMatchObject({
        type: expect.stringMatching(/^(directory|plugin)$/),
        children: expect.any(Array),
      });
      for (const { uri = '' } of ('children' in container && container.children) || []) {
        expect(await vscode.request('resourceRead', { channel: ROOT_URI, uri })).toHaveProperty('data');
      }
    }
  });

  it('offers operations that need nothing but a click (V-34)', async () => {
    const { session, chat } = await host.session(vscode, {}, 'demo:/one');
    const channel = `${session}/changeset/uncommitted`;
    for (const name of ['user.name', 'user.email']) gitOutput(host.workspace, 'config', name, 'somebody');
    await turn(vscode, chat, '/auto on\n/write b.txt text');
    const seen = new Set<string>();
    const button = async (id: string) => {
      const { operations = [] } = await vscode.subscribe<ChangesetState>(channel);
      for (const { id: shown, scopes } of operations) if (scopes.includes('changeset')) seen.add(shown);
      return operations.find((operation) => operation.id === id)?.status;
    };
    const clicked = ['keep', 'open-diff', 'stage', 'unstage', 'revert', 'undo', 'commit'];
    for (const operationId of clicked) {
      await expect.poll(() => button(operationId), PATIENT).toBe('idle');
      await vscode.request('invokeChangesetOperation', { channel, operationId });
    }
    expect([...seen].sort()).toEqual(clicked.sort());
    expect(gitOutput(host.workspace, 'status', '--porcelain')).toBe('');
  });

  it('has a history that comes by an action (V-23)', async () => {
    const { chat } = await host.session(vscode, {}, 'demo:/one');
    for (const text of ['one', 'two', 'three']) await turn(vscode, chat, `/say ${text}`, text);
    const viewer = await window();
    const { snapshot } = await viewer.request('subscribe', { channel: chat, view: { turns: 1 } });
    const state = snapshot?.state as ChatState;
    const { turnsNextCursor: cursor = '' } = state;
    expect(state.turns).toMatchObject([{ id: 'three' }]);
    const answer = viewer.request('fetchTurns', { channel: chat, cursor });
    const { turns: loaded } = await viewer.action(chat, 'chat/turnsLoaded');
    expect(loaded).toMatchObject([{ id: 'one' }, { id: 'two' }]);
    expect(await answer).toEqual({});
  });
});

describe('a terminal', () => {
  it('can be followed from its creation on, and ends after the last of its output (V-23)', async () => {
    const channel = 'agenthost-terminal:/one';
    const claim = { kind: 'client', clientId: vscode.clientId } as const;
    await vscode.request('createTerminal', { channel, claim });
    const { lifecycle } = await vscode.subscribe<TerminalState>(channel);
    expect(lifecycle).toEqual({ status: 'running' });
    vscode.dispatch(channel, { type: 'terminal/input', data: 'seq 1 50000; echo la""st; exit 3\n' });
    await vscode.action(channel, 'terminal/exited');
    await vscode.sync();
    const actions = vscode.actionsOn(channel);
    expect(actions.findIndex(({ type }) => type === 'terminal/exited')).toBe(actions.length - 1);
    const output = actions.map((action) => (action.type === 'terminal/data' ? action.data : '')).join('');
    expect(output).toMatch(/50000\r\nlast\r\n/);
    const { lifecycle: ended } = await vscode.subscribe<TerminalState>(channel);
    expect(ended).toEqual({ status: 'exited', exitCode: 3 });
    await vscode.request('disposeTerminal', { channel });
  });
});

describe('files', () => {
  it('outside of the roots are refused with what may be used instead, however they are reached (V-35)', async () => {
    const parent = pathToFileURL(dirname(host.workspace)).href;
    for (const uri of [`${host.workspaceUri}/..`, parent, 'file:///', 'file:///etc/passwd']) {
      for (const method of ['resourceList', 'resourceResolve']) {
        const refusal = await vscode.refused(method, { channel: ROOT_URI, uri });
        expect(refusal).toMatchObject({ code: -32009, message: expect.stringContaining(`(${host.workspace})`) });
        expect(refusal.message).toContain('--root');
      }
    }
    const folder = { channel: 'demo:/two', provider: 'demo', workingDirectories: [parent] };
    expect((await vscode.refused('createSession', folder)).message).toContain('--root');
  });

  it('that a window publishes are read without asking it for leave (V-38)', async () => {
    const asked: string[] = [];
    for (const method of ['resourceRead', 'resourceList', 'resourceResolve', 'resourceRequest']) {
      vscode.serves.set(method, () => {
        asked.push(method);
        return method === 'resourceRead' ? { data: 'published', encoding: 'utf-8' } : { entries: [] };
      });
    }
    const customizations = [{ id: 'p', type: 'plugin', uri: 'vscode-synced:/plugin', name: 'Plugin' }];
    const activeClient = { clientId: vscode.clientId, tools: [], customizations };
    await host.session(vscode, { activeClient }, 'demo:/one');
    const reader = await host.client();
    const uri = 'vscode-synced:/plugin/skills/SKILL.md';
    expect(await reader.request('resourceRead', { channel: ROOT_URI, uri })).toMatchObject({ data: 'published' });
    expect(asked).toContain('resourceRead');
    expect(asked).not.toContain('resourceRequest');
  });
});

it('agents of ours ask for no account that VS Code could not give (V-36)', async () => {
  await host.dispose();
  await start({ agents: [demoAgent({ isolation: 'none' }), unconfiguredModelAgent()] });
  const { agents } = await vscode.subscribe<RootState>(ROOT_URI);
  expect(agents.map(({ provider }) => provider)).toEqual(['demo', 'model']);
  for (const { protectedResources = [] } of agents) expect(protectedResources).toEqual([]);
});
