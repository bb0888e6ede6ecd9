import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AcpAgentOptions, acpAgent } from '@ahpd/agents/acp';
import { type AgentProvider, gitWorkspaces, nodeClock } from '@ahpd/host';
import {
  type ChangesetState,
  type ChatState,
  ROOT_URI,
  type RootState,
  type SessionState,
  type ToolCallState,
} from '@ahpd/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AcpProvider } from '../packages/agents/src/acp/provider.js';
import { processesWith, scripted } from './support/acp/scripted.js';
import { accepted, callsOf, chatState, PATIENT, startTurn, textOf, turn, turnEnd } from './support/actions.js';
import { isAlive } from './support/processes.js';
import { TestHost } from './support/test-host.js';
import type { WireClient } from './support/wire-client.js';

/** Marks every process of a test in its environment, so that what is left of it can be found. */
let mark: string;
/** Where the agent keeps its sessions. */
let folder: string;
let host: TestHost;
/** Two clients that watch the same chat. */
let client: WireClient;
let other: WireClient;
let session: string;
let chat: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ahpd-acp-test-'));
  mark = `mark-${crypto.randomUUID()}`;
});
afterEach(async () => {
  await host.dispose();
  await expect.poll(() => processesWith(mark), PATIENT).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

function options(more: Partial<AcpAgentOptions> = {}, env: Record<string, string> = {}): AcpAgentOptions {
  return scripted({ env: { MARK: mark, SCRIPTED_STATE: join(folder, 'sessions.json'), ...env }, ...more });
}

async function start(agent?: AgentProvider, more: Partial<AcpAgentOptions> = {}) {
  host = await TestHost.start({
    // Each life of the host has agents of its own.
    get agents() {
      return [agent ?? acpAgent(options(more))];
    },
  });
  client = await host.client();
  other = await host.client();
  ({ session, chat } = await host.session(client, { provider: 'scripted' }));
  await other.subscribe(session);
  await other.subscribe(chat);
}

/** The host ends and starts again, and both clients come back. */
async function restart() {
  await host.restart();
  client = await host.client();
  other = await host.client();
  await client.subscribe(chat);
  await other.subscribe(chat);
}

/** What both clients see; it must be the same. */
async function seen(): Promise<ChatState> {
  await client.sync();
  await other.sync();
  const state = await chatState(client, chat);
  expect(other.actionsOn(chat)).toEqual(client.actionsOn(chat));
  return state;
}

const lastText = async () => textOf((await seen()).turns.at(-1));
const lastCall = async (): Promise<ToolCallState | undefined> =>
  callsOf((await seen()).turns.at(-1)?.responseParts).at(-1);

/** Waits for a call that asks; the other client is the one that answers. */
async function asked(count = 1) {
  let left = count;
  const envelope = await other.envelope(
    ({ channel, action }) =>
      channel === chat && action.type === 'chat/toolCallReady' && !action.confirmed && --left === 0,
  );
  return envelope.action as Extract<typeof envelope.action, { type: 'chat/toolCallReady' }>;
}

async function answer(call: { turnId: string; toolCallId: string }, approved: boolean, selectedOptionId?: string) {
  const decision = approved ? { approved, confirmed: 'user-action' } : { approved, reason: 'denied' };
  const { turnId, toolCallId } = call;
  await accepted(other, chat, { type: 'chat/toolCallConfirmed', turnId, toolCallId, selectedOptionId, ...decision });
}

async function cancel(turnId: string) {
  await accepted(client, chat, { type: 'chat/turnCancelled', turnId });
}

const pidSaid = async () => Number(/pid (\d+)/.exec(await lastText())?.[1]);

describe('a turn of an ACP agent', () => {
  it('is told to everybody: thoughts, words, a title, tokens', async () => {
    await start();
    await turn(client, chat, '/think hm\n/say hello\n/title About greetings');
    const state = await seen();
    expect(state.turns[0]).toMatchObject({
      state: 'complete',
      responseParts: [
        { kind: 'reasoning', content: 'hm' },
        { kind: 'markdown', content: 'hello' },
      ],
      usage: { inputTokens: 10, outputTokens: 5 },
    });
    expect((await client.subscribe<SessionState>(session)).summary.title).toBe('About greetings');
  });

  it('edits a file after another client has approved, with both contents, and the changeset shows it', async () => {
    const workspaces = (data: string) =>
      gitWorkspaces({ directory: join(data, 'workspaces'), clock: nodeClock, log: { write: () => {} } });
    host = new TestHost({ agents: [acpAgent(options())], workspaces });
    writeFileSync(join(host.workspace, 'a.txt'), 'old\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', host.workspace, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'start');
    await host.start();
    client = await host.client();
    other = await host.client();
    ({ session, chat } = await host.session(client, { provider: 'scripted' }));
    await other.subscribe(chat);
    const turnId = startTurn(client, chat, '/write a.txt new');
    const call = await asked();
    const uri = `${host.workspaceUri}/a.txt`;
    expect(call.edits?.items).toMatchObject([{ before: { uri }, after: { uri }, diff: { added: 1, removed: 1 } }]);
    expect(call.options?.map(({ id, kind }) => [id, kind])).toEqual([
      ['yes', 'approve'],
      ['always', 'approve'],
      ['no', 'deny'],
    ]);
    const before = call.edits?.items[0]?.before?.content.uri ?? '';
    expect(await client.request('resourceRead', { channel: ROOT_URI, uri: before })).toMatchObject({ data: 'old\n' });
    await answer(call, true);
    expect(await turnEnd(client, chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    expect(readFileSync(join(host.workspace, 'a.txt'), 'utf8')).toBe('new\n');
    expect(await lastCall()).toMatchObject({ status: 'completed', success: true, content: [{ type: 'fileEdit' }] });
    const { changesets } = await client.subscribe<SessionState>(session);
    const template = changesets?.find(({ uriTemplate }) => uriTemplate.includes('{turnId}'))?.uriTemplate ?? '';
    const changeset = template.replace('{turnId}', turnId);
    await expect
      .poll(async () => (await client.subscribe<ChangesetState>(changeset)).files.map(({ id }) => id), PATIENT)
      .toEqual([expect.stringContaining('a.txt')]);
  });

  it('leaves the file alone when the user says no', async () => {
    await start();
    const turnId = startTurn(client, chat, '/write a.txt new\n/say and on');
    await answer(await asked(), false);
    await turnEnd(client, chat, turnId);
    expect(existsSync(join(host.workspace, 'a.txt'))).toBe(false);
    expect(await lastCall()).toMatchObject({ status: 'cancelled', reason: 'denied' });
    expect(await lastText()).toBe('and on');
  });

  it('asks no more after "always", which the agent is told', async () => {
    await start();
    const turnId = startTurn(client, chat, '/write a.txt one\n/write b.txt two');
    await answer(await asked(), true, 'always');
    await turnEnd(client, chat, turnId);
    expect(readdirSync(host.workspace).sort()).toEqual(['a.txt', 'b.txt']);
    expect(callsOf((await seen()).turns[0]?.responseParts)).toMatchObject([
      { confirmed: 'user-action', selectedOption: { id: 'always' } },
      { confirmed: 'not-needed' },
    ]);
  });

  it('runs a command in a terminal of the host that clients can watch', async () => {
    await start();
    const turnId = startTurn(client, chat, '/run echo "from $PWD"; exit 3');
    await answer(await asked(), true);
    await turnEnd(client, chat, turnId);
    const shown = client.actionsOn(chat).find((action) => action.type === 'chat/toolCallContentChanged');
    expect(shown).toMatchObject({
      content: [{ type: 'terminal', resource: expect.stringContaining('ahp-terminal:') }],
    });
    expect(await lastCall()).toMatchObject({ status: 'completed' });
  });

  it('shows the output of a command of its own while it comes', async () => {
    await start();
    await turn(client, chat, '/own echo one; sleep 0.2; echo two');
    const texts = client
      .actionsOn(chat)
      .flatMap((action) =>
        action.type === 'chat/toolCallContentChanged'
          ? action.content.map((part) => (part.type === 'text' ? part.text : ''))
          : [],
      );
    expect(texts).toEqual(['one\n', 'one\ntwo\n']);
    expect(await lastCall()).toMatchObject({ success: true, content: [{ type: 'text', text: 'one\ntwo\n' }] });
  });

  it('asks a question, which any client answers', async () => {
    await start();
    const turnId = startTurn(client, chat, '/ask Which colour? | Red | Blue');
    const { request } = await other.action(chat, 'chat/inputRequested');
    expect(request).toMatchObject({ questions: [{ id: 'answer', kind: 'single-select', required: true }] });
    const answers = { answer: { state: 'submitted', value: { kind: 'selected', value: 'Blue' } } };
    await accepted(other, chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
    await turnEnd(client, chat, turnId);
    expect(await lastText()).toBe('accept Blue');
  });

  it('shows a plan that changes in place', async () => {
    await start();
    await turn(client, chat, '/plan look=in_progress,write\n/plan look=completed,write=completed');
    const plan = await lastCall();
    expect(callsOf((await seen()).turns[0]?.responseParts)).toHaveLength(1);
    expect(plan).toMatchObject({
      toolName: 'plan',
      status: 'completed',
      content: [{ text: '- [x] look\n- [x] write' }],
    });
  });

  it('reads and writes files through the host, and never outside of the folder', async () => {
    await start();
    await turn(client, chat, '/put b.txt hi\n/put ../outside.txt no');
    expect(await lastText()).toMatch(/^file: hi.*no file: .*outside/s);
    expect(existsSync(join(host.workspace, '..', 'outside.txt'))).toBe(false);
  });

  it('gets images and embedded files as they are', async () => {
    await start();
    const attachments = [
      { type: 'embeddedResource', label: 'dot', data: 'AAAA', contentType: 'image/png' },
      { type: 'resource', label: 'file', uri: 'file:///x' },
    ];
    const message = { text: '/recall', origin: { kind: 'user' }, attachments };
    client.dispatch(chat, { type: 'chat/turnStarted', turnId: 'with-image', message });
    await turnEnd(client, chat, 'with-image');
    expect(await lastText()).toBe('I know: /recall\n<image>\n<resource_link>');
  });

  it('goes on with what the user says meanwhile', async () => {
    await start();
    const turnId = startTurn(client, chat, '/plan one\n/write a.txt new');
    const call = await asked();
    const message = { text: '/plan two\n/say steered', origin: { kind: 'user' } };
    await accepted(client, chat, { type: 'chat/pendingMessageSet', kind: 'steering', id: 'steer', message });
    await answer(call, true);
    expect(await turnEnd(client, chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    const { turns, steeringMessage } = await seen();
    expect(steeringMessage).toBeUndefined();
    expect(textOf(turns[0])).toBe('steered');
    expect(callsOf(turns[0]?.responseParts).map(({ toolName }) => toolName)).toEqual(['plan', 'Write a.txt', 'plan']);
  });

  it('that fails says what the agent said', async () => {
    await start();
    const turnId = await turn(client, chat, '/fail the model is asleep');
    expect(await turnEnd(client, chat, turnId)).toMatchObject({
      error: { errorType: 'agentFailed', message: 'Scripted reported: the model is asleep' },
    });
    await turn(client, chat, '/say well again');
    expect(await lastText()).toBe('well again');
  });

  it('can be followed by words that nobody asked for', async () => {
    await start();
    await turn(client, chat, '/late by the way');
    await expect.poll(async () => textOf((await chatState(client, chat)).turns.at(-1)), PATIENT).toBe('by the way');
  });
});

describe('cancelling', () => {
  it('while it streams ends the turn, and the next one works', async () => {
    await start();
    const turnId = startTurn(client, chat, '/stream');
    await client.action(chat, 'chat/delta');
    await cancel(turnId);
    await turn(client, chat, '/say next');
    const { turns } = await seen();
    expect(turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
    expect(textOf(turns[1])).toBe('next');
  });

  it('while a command of the agent runs ends the command too', async () => {
    await start();
    const turnId = startTurn(client, chat, `/own echo ${mark}; sleep 600`);
    await client.action(chat, 'chat/toolCallContentChanged');
    const running = () => processesWith(`echo ${mark}; sleep`).length;
    expect(running()).toBeGreaterThan(0);
    await cancel(turnId);
    await expect.poll(running, PATIENT).toBe(0);
    await turn(client, chat, '/recall');
    expect(await lastText()).toContain('sleep 600 | /recall'); // a new process, the same session
    expect((await seen()).turns[0]).toMatchObject({ state: 'cancelled' });
  });

  it('while a command runs in a terminal of the host ends the command', async () => {
    await start();
    const turnId = startTurn(client, chat, `/run echo ${mark}; sleep 600`);
    await answer(await asked(), true);
    await client.action(chat, 'chat/toolCallContentChanged');
    await cancel(turnId);
    await turn(client, chat, '/say next');
    expect((await seen()).turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
  });

  it('while a permission is open tells the agent, and nothing is done', async () => {
    await start();
    const turnId = startTurn(client, chat, '/write a.txt new');
    await asked();
    await cancel(turnId);
    await turn(client, chat, '/say next');
    expect(existsSync(join(host.workspace, 'a.txt'))).toBe(false);
    expect((await seen()).turns[0]).toMatchObject({ state: 'cancelled' });
  });

  it('does not reach into the turn after it', async () => {
    await start(new AcpProvider(options(), { cancelMs: 300 }));
    const turnId = startTurn(client, chat, '/pid\n/stream');
    await client.action(chat, 'chat/delta');
    await cancel(turnId);
    await turn(client, chat, '/pid\n/own sleep 1; echo slow');
    const { turns } = await seen();
    expect(turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
    expect(textOf(turns[0])).toContain(textOf(turns[1])); // by the same process
  });

  it('an agent that does not listen ends its process', async () => {
    await start(new AcpProvider(options(), { cancelMs: 100 }));
    const turnId = startTurn(client, chat, '/pid\n/hang');
    await client.action(chat, 'chat/responsePart');
    const turnBefore = (await chatState(client, chat)).activeTurn;
    const pid = Number(/pid (\d+)/.exec(textOf(turnBefore))?.[1]);
    await cancel(turnId);
    await expect.poll(() => isAlive(pid), PATIENT).toBe(false);
    await turn(client, chat, '/say next');
    expect(await lastText()).toBe('next');
  });
});

describe('the process of an agent', () => {
  it('is one for each chat: two work at once', async () => {
    await start();
    const second = host.newChatUri();
    await client.request('createChat', { channel: session, chat: second });
    await client.subscribe(second);
    const first = startTurn(client, chat, '/pid\n/write a.txt one');
    await asked();
    const last = startTurn(client, second, '/pid\n/say two');
    await turnEnd(client, second, last);
    const pidOf = async (uri: string) => {
      const { activeTurn, turns } = await chatState(client, uri);
      return textOf(activeTurn ?? turns.at(-1));
    };
    expect(await pidOf(second)).toMatch(/^pid \d+two$/);
    expect(await pidOf(chat)).not.toBe((await pidOf(second)).replace('two', ''));
    await cancel(first);
  });

  it('that dies ends its turn with an error, and is started again', async () => {
    await start();
    await turn(client, chat, '/say remember me');
    const turnId = startTurn(client, chat, '/crash');
    const end = await turnEnd(client, chat, turnId);
    expect(end).toMatchObject({ type: 'chat/error', error: { errorType: 'agentExited' } });
    expect(JSON.stringify(end)).toContain('signal SIGKILL');
    expect(JSON.stringify(end)).toContain('I feel unwell');
    await turn(client, chat, '/recall');
    expect(await lastText()).toBe('I know: /say remember me | /crash | /recall');
  });

  it('has an environment of its own, and a folder for what it leaves behind', async () => {
    process.env.AHPD_TEST_SECRET = 'hidden';
    try {
      await start();
      await turn(client, chat, '/env AHPD_TEST_SECRET\n/say ;\n/env MARK\n/say ;\n/env TMPDIR');
      const [secret, given, temporary] = (await lastText()).split(';');
      expect(secret).toBe('AHPD_TEST_SECRET=undefined');
      expect(given).toBe(`MARK=${mark}`);
      const path = temporary?.replace('TMPDIR=', '') ?? '';
      expect(existsSync(path)).toBe(true);
      await host.stop();
      expect(existsSync(path)).toBe(false);
      await host.start();
    } finally {
      delete process.env.AHPD_TEST_SECRET;
    }
  });

  it('is gone with its chat', async () => {
    await start();
    await turn(client, chat, '/pid');
    const pid = await pidSaid();
    expect(isAlive(pid)).toBe(true);
    await client.request('disposeSession', { channel: session });
    await expect.poll(() => isAlive(pid), PATIENT).toBe(false);
  });

  it('may write nonsense: it is passed over', async () => {
    await start();
    await turn(client, chat, '/nonsense\n/say fine');
    expect((await seen()).turns[0]).toMatchObject({ state: 'complete' });
    expect(await lastText()).toBe('fine');
  });

  it('that floods the host with a line without end is ended', async () => {
    await start();
    const turnId = startTurn(client, chat, '/flood');
    expect(await turnEnd(client, chat, turnId)).toMatchObject({ error: { errorType: 'agentExited' } });
  });

  it('that says nothing for too long is ended', async () => {
    await start(new AcpProvider(options(), { silenceMs: 300 }));
    const turnId = startTurn(client, chat, '/hang');
    expect(await turnEnd(client, chat, turnId)).toMatchObject({ error: { errorType: 'agentSilent' } });
  });
});

describe('an agent that says nothing', () => {
  it('is pointed out to the user once, and goes on', async () => {
    await start(new AcpProvider(options(), { quietMs: 300 }));
    const turnId = startTurn(client, chat, '/pause 1000\n/say one\n/pause 1000\n/say two');
    expect(await turnEnd(client, chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    const parts = (await seen()).turns[0]?.responseParts;
    const notices = parts?.filter(({ kind }) => kind === 'systemNotification');
    expect(notices).toMatchObject([{ content: expect.stringContaining('Scripted has said nothing') }]);
    expect(await lastText()).toBe('onetwo');
  });

  it('is not, while it waits for the user, though one that fell silent after it is', async () => {
    await start(new AcpProvider(options(), { quietMs: 1_000 }));
    const turnId = startTurn(client, chat, '/write a.txt new');
    const call = await asked();
    const later = await host.session(client, { provider: 'scripted' });
    startTurn(client, later.chat, '/hang');
    await client.envelope(
      ({ channel, action }) =>
        channel === later.chat && action.type === 'chat/responsePart' && action.part.kind === 'systemNotification',
    );
    await answer(call, true);
    await turnEnd(client, chat, turnId);
    expect((await seen()).turns[0]?.responseParts.map(({ kind }) => kind)).toEqual(['toolCall']);
  });
});

describe('after a restart of the host', () => {
  it('the conversation goes on where it was', async () => {
    await start();
    await turn(client, chat, '/say before');
    await restart();
    await turn(client, chat, '/recall');
    expect(await lastText()).toBe('I know: /say before | /recall');
  });

  it('an agent that cannot load its session gets the history, and the user is told', async () => {
    await start(undefined, { env: { MARK: mark } });
    await turn(client, chat, '/say before');
    await restart();
    await turn(client, chat, '/recall');
    expect(await lastText()).toMatch(/User: \/say before\s+You: before/);
    const notice = (await seen()).turns[1]?.responseParts[0];
    expect(notice).toMatchObject({ kind: 'systemNotification', content: expect.stringContaining('could not take up') });
  });

  it('nor does it remember what was cut from the chat', async () => {
    await start();
    const first = await turn(client, chat, '/say one');
    await turn(client, chat, '/say two');
    await accepted(client, chat, { type: 'chat/truncated', turnId: first });
    await turn(client, chat, '/recall');
    expect(await lastText()).toContain('/say one');
    expect(await lastText()).not.toContain('/say two');
  });
});

describe('what root state says of an agent', () => {
  const info = async () => (await client.subscribe<RootState>(ROOT_URI)).agents[0];

  it('is why it cannot start, without secrets', async () => {
    const key = 'sesame-1234';
    await start(acpAgent(options({}, { SCRIPTED_FAIL: '1', SCRIPTED_KEY: key })));
    const turnId = startTurn(client, chat, 'hello');
    const end = JSON.stringify(await turnEnd(client, chat, turnId));
    expect(end).toContain('Scripted could not be started: exit code 3');
    expect(end).toContain('cannot work: api_key=[secret]');
    expect((await info())?.description).toContain('Cannot be used now: Scripted could not be started');
    expect(JSON.stringify(client.envelopes)).not.toContain(key);
  });

  it('is that its program is missing', async () => {
    await start(acpAgent(options({ command: 'no-such-agent-anywhere' })));
    expect((await info())?.description).toMatch(/"no-such-agent-anywhere" of Scripted was not found/);
    const turnId = startTurn(client, chat, 'hello');
    expect(await turnEnd(client, chat, turnId)).toMatchObject({ error: { errorType: 'agentNotStarted' } });
  });

  it('becomes what users can set, for this session and the next', async () => {
    const memoryFile = join(folder, 'memory', 'scripted.json');
    await start(acpAgent(options({ memoryFile })));
    await turn(client, chat, '/mode');
    expect(await lastText()).toBe('mode careful');
    const next = await host.session(client, { provider: 'scripted', config: { mode: 'bold' } });
    expect((await client.subscribe<SessionState>(next.session)).config).toMatchObject({
      schema: { properties: { mode: { enum: ['careful', 'bold'] } } },
      values: { mode: 'bold' },
    });
    await turn(client, next.chat, '/mode');
    expect(textOf((await chatState(client, next.chat)).turns[0])).toBe('mode bold');
    await accepted(client, next.session, { type: 'session/configChanged', config: { mode: 'careful' } });
    await turn(client, next.chat, '/mode');
    expect(textOf((await chatState(client, next.chat)).turns[1])).toBe('mode careful');
    expect(new AcpProvider(options({ memoryFile })).sessionConfig).toMatchObject({ mode: { title: 'Mode' } });
  });
});
