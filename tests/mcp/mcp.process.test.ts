import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ChatInputRequest,
  type ContentRef,
  openRequests,
  type SessionState,
  SessionStatus,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accepted,
  callsOf,
  chatState,
  PATIENT,
  shownIn,
  startTurn,
  textOf,
  turn,
  turnEnd,
} from '../support/actions.js';
import { everything, serverIs, serversIn } from '../support/mcp.js';
import { processesWith, useMark } from '../support/processes.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const mark = useMark();
let host: TestHost;
let client: WireClient;
let other: WireClient;
let session: string;
let chat: string;
beforeEach(async () => {
  host = await TestHost.start({ mcp: { servers: [everything(mark.text)] } });
  client = await host.client();
  other = await host.client();
  ({ session, chat } = await host.session(client));
  await other.subscribe(session);
  await other.subscribe(chat);
});
afterEach(async () => {
  await host.dispose();
});

const approve = (turnId: string, toolCallId: string, more: object = {}) => ({
  type: 'chat/toolCallConfirmed',
  turnId,
  toolCallId,
  approved: true,
  confirmed: 'user-action',
  ...more,
});

/** What both clients see of the last turn's calls, which must be the same. */
async function lastCalls() {
  const [one, two] = await Promise.all([chatState(client, chat), chatState(other, chat)]);
  expect(two.turns).toEqual(one.turns);
  return callsOf(one.turns.at(-1)?.responseParts);
}

const said = async () => textOf((await chatState(client, chat)).turns.at(-1));
const question = (watcher = other): Promise<ChatInputRequest> =>
  shownIn(watcher, chat, (state) => openRequests(state)[0]);
const pending = () =>
  shownIn(other, chat, ({ activeTurn }) =>
    callsOf(activeTurn?.responseParts).find(({ status }) => status === 'pending-confirmation'),
  );
describe('a configured MCP server', () => {
  it('starts with the session and is shown by its name, its state and nothing of its launch (B-235, B-237, B-238)', async () => {
    const server = await serverIs(client, session, 'ready');
    expect(server).toEqual({
      type: 'mcpServer',
      id: 'mcp:everything',
      name: 'everything',
      uri: 'file:///config.json#/mcpServers/everything',
      state: { kind: 'ready' },
    });
    const kinds = client.actionsOn(session).flatMap((action) => {
      if (action.type === 'session/customizationUpdated') return [action.type];
      return action.type === 'session/mcpServerStateChanged' ? [action.state.kind] : [];
    });
    expect(kinds.filter((kind) => kind !== 'session/customizationUpdated')).toEqual(['starting', 'ready']);
    expect(client.actionsOn(session).map(({ type }) => type)).not.toContain('session/customizationsChanged');
    const seen = JSON.stringify([client.envelopes, client.notifications, host.logged]);
    for (const secret of [mark.text, 'stdio', 'MARK']) expect(seen).not.toContain(secret);
    expect(processesWith(mark.text)).toHaveLength(1);
  });

  it('in a folder that is gone says so, keeps nobody from anything, and starts when the folder is back', async () => {
    const folder = join(host.workspace, 'goes');
    mkdirSync(folder);
    const place = await host.session(other, { workingDirectories: [pathToFileURL(folder).href] });
    await serverIs(other, place.session, 'ready');
    await host.leave(other);
    host.host.unloadIdle();
    rmdirSync(folder);
    await client.subscribe(place.chat);
    const turnId = startTurn(client, place.chat, '/say hello');
    expect(await turnEnd(client, place.chat, turnId)).toMatchObject({
      part: { error: { errorType: 'noFolder', message: expect.stringContaining(`no folder ${folder}. Fix that`) } },
    });
    const { state } = await serverIs(client, place.session, 'error');
    expect(state.error.message).toContain(`there is no folder ${folder}. It will be restarted`);
    mkdirSync(folder);
    await serverIs(client, place.session, 'ready');
    const again = startTurn(client, place.chat, '/say hello');
    expect(await turnEnd(client, place.chat, again)).toMatchObject({ type: 'chat/turnComplete' });
  });

  it('has tools that run as calls of the turn, attributed to it (B-173, B-245)', async () => {
    await turn(client, chat, '/mcp everything echo {"message": "ping"}\n/say done');
    expect(await lastCalls()).toMatchObject([
      {
        status: 'completed',
        toolName: 'echo',
        displayName: 'Echo Tool',
        contributor: { kind: 'mcp', customizationId: 'mcp:everything' },
        confirmed: 'not-needed',
        toolInput: '{"message": "ping"}',
        _meta: { 'moorage.readOnlyHint': true },
        success: true,
        pastTenseMessage: 'Called Echo Tool (everything)',
        content: [{ type: 'text', text: 'Echo: ping' }],
      },
    ]);
    expect(await said()).toBe('done');
  });

  it('gets only a few variables of the host, and those configured for it', async () => {
    process.env.MOORAGE_TEST_SECRET = 'not-for-servers';
    await turn(client, chat, '/mcp everything get-env {}');
    delete process.env.MOORAGE_TEST_SECRET;
    const [call] = await lastCalls();
    const text = JSON.stringify(call);
    expect(text).toContain(mark.text);
    expect(text).toContain('PATH');
    expect(text).not.toContain('not-for-servers');
    await turn(client, chat, '/mcp everything get-roots-list {}');
    expect(JSON.stringify(await lastCalls())).toContain(host.workspaceUri);
  });

  it('asks before a tool that may change something; the user can change its input (B-175, B-186)', async () => {
    const turnId = startTurn(client, chat, '/mcp everything gzip-file-as-resource {"name": "a"}\n/say on');
    const call = await pending();
    expect(call).toMatchObject({
      confirmationTitle: expect.stringContaining('everything'),
      contributor: { kind: 'mcp', customizationId: 'mcp:everything' },
      toolInput: '{"name": "a"}',
    });
    const input = JSON.stringify({ name: 'b.gz', data: 'data:text/plain,hello', outputType: 'resource' });
    await accepted(other, chat, approve(turnId, call.toolCallId, { editedToolInput: input }));
    await turnEnd(client, chat, turnId);
    const [done] = await lastCalls();
    expect(done).toMatchObject({ status: 'completed', success: true, confirmed: 'user-action', toolInput: input });
    const content = (done as { content?: (ContentRef & { type: string })[] }).content ?? [];
    const stored = content.find(({ type }) => type === 'resource');
    const read = await client.request('resourceRead', { channel: 'ahp-root://', uri: stored?.uri ?? '' });
    expect(Buffer.from(read.data, 'base64').subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });

  it('whose tool is denied does nothing and the turn goes on', async () => {
    const turnId = startTurn(client, chat, '/mcp everything toggle-simulated-logging {}\n/say on');
    const { toolCallId } = await pending();
    const deny = { type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: false, reason: 'denied' };
    await accepted(other, chat, deny);
    await turnEnd(client, chat, turnId);
    expect(await lastCalls()).toMatchObject([{ status: 'cancelled', reason: 'denied' }]);
    expect(await said()).toMatch(/Skipped: Call toggle-simulated-logging of everything \(denied\).*on$/s);
  });

  it('gives images, links and structured content that clients can read (B-179)', async () => {
    await turn(client, chat, '/mcp everything get-tiny-image {}\n/mcp everything get-resource-links {"count": 2}');
    const [image, links] = await lastCalls();
    const shown = (image as { content?: (ContentRef & { type: string })[] }).content ?? [];
    expect(shown).toMatchObject([
      { type: 'text' },
      { type: 'resource', uri: expect.any(String), contentType: 'image/png' },
      { type: 'text' },
    ]);
    const { data } = await client.request('resourceRead', { channel: 'ahp-root://', uri: shown[1]?.uri ?? '' });
    expect(Buffer.from(data, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect(JSON.stringify(links)).toContain('](demo://resource/dynamic/');
    await turn(client, chat, '/mcp everything get-structured-content {"location": "New York"}');
    expect(await lastCalls()).toMatchObject([{ structuredContent: { temperature: expect.any(Number) } }]);
  });

  it('says what is wrong with a call, and the turn goes on', async () => {
    await turn(
      client,
      chat,
      '/mcp nobody echo {}\n/mcp everything nothing {}\n/mcp everything get-sum {"a": "x"}\n/say on',
    );
    expect(await lastCalls()).toMatchObject([
      { success: false, error: { message: expect.stringContaining('There are: everything'), code: 'noSuchServer' } },
      { success: false, error: { message: expect.stringContaining('no tool "nothing"') } },
      { success: false, error: { code: 'toolFailed' } },
    ]);
    expect(await said()).toMatch(/on$/);
  });

  it('reports progress, and is told when the turn is cancelled', async () => {
    const turnId = startTurn(
      client,
      chat,
      '/mcp everything trigger-long-running-operation {"duration": 60, "steps": 300}',
    );
    const shown = await shownIn(other, chat, ({ activeTurn }) => {
      const [call] = callsOf(activeTurn?.responseParts);
      return call?.status === 'running' && call.content?.length ? call.content : undefined;
    });
    expect(shown).toMatchObject([{ type: 'text', text: expect.stringMatching(/^\d+ of 300$/) }]);
    client.dispatch(chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    await turnEnd(client, chat, turnId);
    expect(await lastCalls()).toMatchObject([{ status: 'cancelled' }]);
    await turn(client, chat, '/mcp everything echo {"message": "still there"}');
    expect(await lastCalls()).toMatchObject([{ success: true }]);
  });
});

describe('what a server asks during a call', () => {
  const ask = '/mcp everything trigger-elicitation-request {}\n/say on';
  const submitted = (value: object) => ({ state: 'submitted', value });

  async function asked() {
    const turnId = startTurn(client, chat, `/auto on\n${ask}`);
    return { turnId, request: await question() };
  }

  it('becomes an input request with a question for each field; the answers go back (B-212, B-213)', async () => {
    const { turnId, request } = await asked();
    expect(request.message).toContain('The MCP server "everything" asks: Please provide inputs');
    const byId = Object.fromEntries((request.questions ?? []).map((one) => [one.id, one]));
    expect(byId.name).toMatchObject({ kind: 'text', title: 'String', message: 'Your full, legal name' });
    expect(byId.email).toMatchObject({ kind: 'text', format: 'email' });
    expect(byId.integer).toMatchObject({ kind: 'integer', min: 1, max: 100, defaultValue: 42 });
    expect(byId.check).toMatchObject({ kind: 'boolean' });
    expect(byId.titledSingleSelectEnum).toMatchObject({
      kind: 'single-select',
      options: [{ id: 'hero-1', label: 'Superman', recommended: true }, { id: 'hero-2' }, { id: 'hero-3' }],
    });
    expect(byId.untitledMultipleSelectEnum).toMatchObject({ kind: 'multi-select', min: 1, max: 3 });
    const summary = await client.subscribe<SessionState>(session);
    expect(summary.status & SessionStatus.InputNeeded).toBe(SessionStatus.InputNeeded);
    const answers = {
      name: submitted({ kind: 'text', value: 'Ada' }),
      check: submitted({ kind: 'boolean', value: true }),
      integer: submitted({ kind: 'number', value: 7 }),
      titledSingleSelectEnum: submitted({ kind: 'selected', value: 'hero-2' }),
      untitledMultipleSelectEnum: submitted({ kind: 'selected-many', value: ['Piano', 'Bass'] }),
    };
    await accepted(other, chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
    await turnEnd(client, chat, turnId);
    const text = JSON.stringify(await lastCalls()).replaceAll('\\', '');
    for (const part of ['"name": "Ada"', '"check": true', '"integer": 7', 'hero-2', '"Piano"', '"Bass"']) {
      expect(text.replaceAll(/\s*n\s{4,}/g, ' ')).toContain(part);
    }
  });

  it('can be declined', async () => {
    const { turnId, request } = await asked();
    await accepted(other, chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'decline' });
    await turnEnd(client, chat, turnId);
    expect(JSON.stringify(await lastCalls())).toContain('User declined');
  });

  it('goes away when the server dies; the call fails clearly and the server comes back (B-238)', async () => {
    const { turnId } = await asked();
    for (const pid of processesWith(mark.text)) process.kill(pid, 'SIGKILL');
    await turnEnd(client, chat, turnId);
    expect(await lastCalls()).toMatchObject([
      { success: false, error: { code: 'serverFailed', message: expect.stringContaining('ended by SIGKILL') } },
    ]);
    expect(openRequests(await chatState(client, chat))).toEqual([]);
    await serverIs(client, session, 'ready');
    const states = client
      .actionsOn(session)
      .flatMap((action) => (action.type === 'session/mcpServerStateChanged' ? [action.state.kind] : []));
    expect(states).toEqual(['starting', 'ready', 'error', 'starting', 'ready']);
    await turn(client, chat, '/mcp everything echo {"message": "again"}');
    expect(await lastCalls()).toMatchObject([{ success: true }]);
  });

  it('is not asked again after a restart of the host: nobody knows how far the call had come', async () => {
    const { turnId } = await asked();
    const next = await host.afterCrash({ mcp: { servers: [everything(mark.text)] } });
    try {
      const late = await next.client();
      const state = await late.subscribe<SessionState>(session);
      expect(state.customizations).toMatchObject([{ id: 'mcp:everything' }]);
      const shown = await chatState(late, chat);
      const { turns } = shown;
      const inputRequests = openRequests(shown);
      expect(inputRequests ?? []).toEqual([]);
      expect(turns.at(-1)).toMatchObject({ id: turnId, state: 'error' });
    } finally {
      await next.dispose();
    }
  });
});

describe('switching a server', () => {
  const toggle = (enabled: boolean) => ({
    type: 'session/customizationToggled',
    id: 'mcp:everything',
    enablement: [{ kind: 'session', enabled }],
  });

  it('off ends its process, on starts it again; the choice survives a restart (B-228, B-239)', async () => {
    await serverIs(client, session, 'ready');
    await accepted(other, session, toggle(false));
    expect(await serverIs(client, session, 'stopped')).toMatchObject({ enablement: [{ enabled: false }] });
    await expect.poll(() => processesWith(mark.text), PATIENT).toEqual([]);
    await turn(client, chat, '/mcp everything echo {"message": "off"}');
    expect(await lastCalls()).toMatchObject([
      { success: false, error: { message: expect.stringContaining('stopped') } },
    ]);
    await host.restart();
    client = await host.client();
    other = await host.client();
    expect(await serversIn(client, session)).toMatchObject([
      { enablement: [{ enabled: false }], state: { kind: 'stopped' } },
    ]);
    await client.subscribe(chat);
    await turn(client, chat, '/mcp everything echo {"message": "off"}');
    expect(processesWith(mark.text)).toEqual([]);
    await accepted(client, session, toggle(true));
    await serverIs(client, session, 'ready');
    await turn(client, chat, '/mcp everything echo {"message": "on"}');
    expect(await lastCalls()).toMatchObject([{ success: true }]);
  });
});

/** Introduces itself, then says nothing more; whoever asks for its tools finds a file. */
const SILENT = `
const { createInterface } = require('node:readline');
createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = { protocolVersion: params?.protocolVersion, serverInfo: { name: 'silent', version: '1' }, capabilities: { tools: {} } };
  if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'tools/list') require('node:fs').writeFileSync('asked', '');
});
`;

describe('the life of servers', () => {
  it('ends when it is not wanted any more, also while it does not say what it can do', async () => {
    const own = `silent-${mark.text}`;
    const launch = { kind: 'stdio', command: process.execPath, args: ['-e', SILENT], env: { MARK: own } } as const;
    const silent = await TestHost.start({ mcp: { servers: [everything(mark.text, { launch })] } });
    try {
      const watcher = await silent.client();
      const { session } = await silent.session(watcher);
      await expect.poll(() => existsSync(join(silent.workspace, 'asked')), PATIENT).toBe(true);
      await accepted(watcher, session, {
        type: 'session/customizationToggled',
        id: 'mcp:everything',
        enablement: [{ kind: 'session', enabled: false }],
      });
      await expect.poll(() => processesWith(own), PATIENT).toEqual([]);
    } finally {
      await silent.dispose();
    }
  });

  it('ends when nobody uses the session any more, and begins again when somebody does', async () => {
    await serverIs(client, session, 'ready');
    await host.leave(client);
    await host.leave(other);
    host.host.unloadIdle();
    await expect.poll(() => processesWith(mark.text), PATIENT).toEqual([]);
    client = await host.client();
    other = await host.client();
    expect(await serversIn(client, session)).toMatchObject([{ state: { kind: 'stopped' } }]);
    await serverIs(client, session, 'ready');
    expect(processesWith(mark.text)).toHaveLength(1);
  });

  it('ends with the session', async () => {
    await serverIs(client, session, 'ready');
    await client.request('disposeSession', { channel: session });
    await expect.poll(() => processesWith(mark.text), PATIENT).toEqual([]);
  });

  it('is not wrong after a crash of the host: what ran is shown as stopped, then started', async () => {
    await serverIs(client, session, 'ready');
    const next = await host.afterCrash({ mcp: { servers: [] } });
    try {
      const late = await next.client();
      expect((await serversIn(late, session)).map(({ state }) => state.kind)).not.toContain('ready');
      // It is not configured any more.
      await late.action(session, 'session/customizationRemoved');
      expect(await serversIn(late, session)).toEqual([]);
    } finally {
      await next.dispose();
    }
  });

  it('waits for the user across a restart: the approval still stands open, and runs the tool then', async () => {
    const turnId = startTurn(client, chat, '/mcp everything toggle-simulated-logging {}');
    const { toolCallId } = await pending();
    await host.restart();
    client = await host.client();
    other = await host.client();
    await client.subscribe(chat);
    await other.subscribe(chat);
    expect((await pending()).toolCallId).toBe(toolCallId);
    await accepted(client, chat, approve(turnId, toolCallId));
    await turnEnd(client, chat, turnId);
    expect(await lastCalls()).toMatchObject([{ success: true, contributor: { customizationId: 'mcp:everything' } }]);
  });
});

it('a server that cannot be started says so without its command, and turns do not wait for it for long', async () => {
  const broken = everything(mark.text, {
    launch: { kind: 'stdio', command: '/nowhere/secret-program', args: ['--key=1'] },
  });
  const bad = await TestHost.start({ mcp: { servers: [broken] } });
  try {
    const user = await bad.client();
    const made = await bad.session(user);
    const { state } = await serverIs(user, made.session, 'error');
    expect(state.error).toMatchObject({ errorType: 'mcpServerFailed', message: expect.stringContaining('not found') });
    await turn(user, made.chat, '/mcp everything echo {}\n/say on');
    expect(textOf((await chatState(user, made.chat)).turns[0])).toMatch(/on$/);
    expect(JSON.stringify([user.envelopes, bad.logged])).not.toMatch(/secret-program|--key/);
  } finally {
    await bad.dispose();
  }
});
