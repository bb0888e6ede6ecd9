import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { McpServerDeclaration, McpTokens } from '@moorage/host';
import { openRequests, type SessionState, SessionStatus } from '@moorage/protocol';
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
import { EVERYTHING, serverIs } from '../support/mcp.js';
import { ProtectedServer } from '../support/mcp-http-server.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
afterEach(() => host.dispose());

function remote(url: string, headers?: Record<string, string>): McpServerDeclaration {
  const launch = { kind: 'http' as const, url, headers };
  return { id: 'mcp:remote', name: 'remote', uri: 'file:///config.json', enabled: true, launch };
}

async function start(server: McpServerDeclaration, tokens?: McpTokens): Promise<void> {
  host = await TestHost.start({ mcp: { servers: [server], ...(tokens && { tokens }) } });
  client = await host.client();
  ({ session, chat } = await host.session(client));
}

const lastCalls = async () => callsOf((await chatState(client, chat)).turns.at(-1)?.responseParts);

describe('the reference server behind HTTP', () => {
  let server: ChildProcess;
  let port: number;

  async function serve(): Promise<void> {
    server = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve) => server.stderr?.on('data', (text) => /listening/.test(text) && resolve()));
  }

  async function stop(): Promise<void> {
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await gone;
  }

  beforeEach(async () => {
    port = await freePort();
    await serve();
    await start(remote(`http://127.0.0.1:${port}/mcp?key=secret-key`, { 'X-Key': 'secret-header' }));
  });
  afterEach(() => stop());

  it('serves tools, elicitation included, and nothing of its address is shown', async () => {
    await serverIs(client, session, 'ready', 'mcp:remote');
    const turnId = startTurn(client, chat, '/auto on\n/mcp remote trigger-elicitation-request {}');
    const request = await shownIn(client, chat, (state) => openRequests(state)[0]);
    await accepted(client, chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'decline' });
    await turnEnd(client, chat, turnId);
    expect(await lastCalls()).toMatchObject([{ success: true, contributor: { customizationId: 'mcp:remote' } }]);
    const seen = JSON.stringify([client.envelopes, host.logged]);
    for (const secret of ['secret-key', 'secret-header', String(port)]) expect(seen).not.toContain(secret);
  });

  it('that goes away fails the call clearly, and is found again when it is back', async () => {
    await turn(client, chat, '/mcp remote echo {"message": "one"}');
    expect(await lastCalls()).toMatchObject([{ success: true }]);
    await stop();
    await turn(client, chat, '/mcp remote echo {"message": "two"}\n/say on');
    expect(await lastCalls()).toMatchObject([{ success: false }]);
    expect(textOf((await chatState(client, chat)).turns.at(-1))).toMatch(/on$/);
    await serverIs(client, session, 'error', 'mcp:remote');
    await serve();
    await serverIs(client, session, 'ready', 'mcp:remote');
    await turn(client, chat, '/mcp remote echo {"message": "three"}');
    expect(await lastCalls()).toMatchObject([{ success: true }]);
  });
});

describe('a server that wants a token', () => {
  let server: ProtectedServer;
  let given: Map<string, string>;
  let listeners: ((resource: string) => void)[];
  const tokens: McpTokens = {
    tokenFor: (_session, resource) => given.get(resource),
    onTokensChanged: (listener) => void listeners.push(listener),
  };
  beforeEach(async () => {
    server = await ProtectedServer.start();
    given = new Map();
    listeners = [];
  });
  afterEach(() => server.close());

  /** As `authenticate` will do. */
  function give(token: string, resource = server.url): void {
    given.set(resource, token);
    for (const listener of listeners) listener(resource);
  }

  it('says what it is for and where to get one, and is ready as soon as there is one (B-241)', async () => {
    await start(remote(server.url), tokens);
    const { state } = await serverIs(client, session, 'authRequired', 'mcp:remote');
    expect(state).toEqual({
      kind: 'authRequired',
      reason: 'required',
      resource: {
        resource: server.url,
        resource_name: 'Notes',
        authorization_servers: ['https://login.example.com'],
        scopes_supported: ['read', 'write'],
      },
      requiredScopes: ['read'],
      description: expect.stringContaining('remote'),
    });
    await turn(client, chat, '/mcp remote note {"text": "early"}');
    expect(await lastCalls()).toMatchObject([
      { success: false, error: { message: expect.stringContaining('authRequired') } },
    ]);
    server.tokens.add('good-token');
    give('wrong-token');
    const reason = async () => (await serverIs(client, session, 'authRequired', 'mcp:remote')).state.reason;
    await expect.poll(reason, PATIENT).toBe('expired');
    expect(server.seen).toContain('Bearer wrong-token');
    give('good-token');
    await serverIs(client, session, 'ready', 'mcp:remote');
    await turn(client, chat, '/mcp remote note {"text": "this"}');
    expect(await lastCalls()).toMatchObject([{ success: true, content: [{ text: 'noted this' }] }]);
    const kinds = client
      .actionsOn(session)
      .flatMap((action) => (action.type === 'session/mcpServerStateChanged' ? [action.state.kind] : []));
    expect(kinds).toEqual(['starting', 'authRequired', 'authRequired', 'ready']);
    expect(JSON.stringify([client.envelopes, host.logged])).not.toMatch(/good-token|wrong-token/);
  });

  it('gets a token that is there already', async () => {
    server.tokens.add('good-token');
    given.set(server.url, 'good-token');
    await start(remote(server.url), tokens);
    await serverIs(client, session, 'ready', 'mcp:remote');
    expect(new Set(server.seen)).toEqual(new Set(['Bearer good-token']));
  });

  it('in the middle of a call lets the call wait for the user, who grants access (B-243)', async () => {
    server.tokens.add('small-token');
    given.set(server.url, 'small-token');
    await start(remote(server.url), tokens);
    await serverIs(client, session, 'ready', 'mcp:remote');
    server.mood = 'wantsMore';
    const turnId = startTurn(client, chat, '/mcp remote note {"text": "more"}');
    const { state } = await serverIs(client, session, 'authRequired', 'mcp:remote');
    expect(state).toMatchObject({ reason: 'insufficientScope', requiredScopes: ['read', 'write'] });
    const request = await shownIn(client, chat, (state) => openRequests(state)[0]);
    expect(request.message).toContain('more permissions');
    const summary = await client.subscribe<SessionState>(session);
    expect(summary.status & SessionStatus.InputNeeded).toBe(SessionStatus.InputNeeded);
    server.mood = 'serves';
    server.tokens.add('big-token');
    give('big-token');
    await turnEnd(client, chat, turnId);
    expect(await lastCalls()).toMatchObject([{ success: true, content: [{ text: 'noted more' }] }]);
    expect(openRequests(await chatState(client, chat))).toEqual([]);
  });

  it('in the middle of a call fails the call when the user declines', async () => {
    server.tokens.add('small-token');
    given.set(server.url, 'small-token');
    await start(remote(server.url), tokens);
    await serverIs(client, session, 'ready', 'mcp:remote');
    server.tokens.clear(); // it has expired
    const turnId = startTurn(client, chat, '/mcp remote note {"text": "more"}\n/say on');
    const request = await shownIn(client, chat, (state) => openRequests(state)[0]);
    expect(await serverIs(client, session, 'authRequired', 'mcp:remote')).toMatchObject({
      state: { reason: 'expired' },
    });
    await accepted(client, chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'decline' });
    await turnEnd(client, chat, turnId);
    expect(await lastCalls()).toMatchObject([{ success: false, error: { code: 'authRequired' } }]);
  });

  it.each([
    ['elsewhere', () => 'https://bank.example.com/mcp'],
    ['beside it, with a name that begins alike', () => `${server.origin}/m`],
  ])('cannot get the token of another by claiming to be it: %s', async (_where, other) => {
    given.set(other(), 'bank-token');
    server.claims = other();
    await start(remote(server.url), tokens);
    const { state } = await serverIs(client, session, 'authRequired', 'mcp:remote');
    expect(state.resource.resource).toBe(server.url);
    expect(server.seen.join()).not.toContain('bank-token');
  });

  it('that has forgotten its session is greeted anew', async () => {
    server.tokens.add('good-token');
    given.set(server.url, 'good-token');
    await start(remote(server.url), tokens);
    await serverIs(client, session, 'ready', 'mcp:remote');
    server.mood = 'forgets';
    await turn(client, chat, '/mcp remote note {"text": "lost"}');
    expect(await lastCalls()).toMatchObject([{ success: false }]);
    await serverIs(client, session, 'ready', 'mcp:remote');
    await turn(client, chat, '/mcp remote note {"text": "found"}');
    expect(await lastCalls()).toMatchObject([{ success: true }]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
