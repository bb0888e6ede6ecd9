import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentProvider, AgentTurn, TurnOutcome } from '@moorage/host';
import {
  AhpErrorCodes,
  errorOf,
  JsonRpcErrorCodes,
  type ProtectedResourceMetadata,
  ROOT_URI,
  type RootState,
} from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import {
  accepted,
  chatState,
  endedIn,
  PATIENT,
  reasonFor,
  startTurn,
  textOf,
  turn,
  turnEnd,
} from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { stopped, testAgent } from '../support/test-agent.js';
import { TestHost, type TestHostOptions, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const API = 'https://models.example/';
const EXTRA = 'https://extra.example/';
const TOKEN_A = 'token-of-client-a-0123456789';
const TOKEN_B = 'token-of-client-b-0123456789';
const RESOURCES: ProtectedResourceMetadata[] = [
  { resource: API, authorization_servers: ['https://login.example/'], scopes_supported: ['models'] },
  { resource: EXTRA, required: false },
];

let host: TestHost;
afterEach(() => host.dispose());

/** An agent that says which tokens it has, and what else the test wants. */
function guarded(prompt?: (turn: AgentTurn) => Promise<TurnOutcome | undefined>): () => AgentProvider[] {
  return () => {
    const agent = testAgent({
      prompt: async (given) => {
        if (given.message.text === 'refuse') {
          const token = given.tokens.get(API);
          given.tokens.refused(API);
          return { kind: 'error', error: { errorType: 'authRequired', message: `the API refused ${token}` } };
        }
        const outcome = await prompt?.(given);
        given.emit({ kind: 'text', text: `${digest(given.tokens.get(API))} ${digest(given.tokens.get(EXTRA))}` });
        return outcome;
      },
    });
    return [{ ...agent, info: { ...agent.info, protectedResources: RESOURCES } }];
  };
}

/** Tells tokens apart without showing them: what an agent says is stored. */
function digest(token: string | undefined): string {
  if (token === undefined) return 'none';
  return token === TOKEN_A ? 'A' : token === TOKEN_B ? 'B' : 'other';
}

async function start(options: TestHostOptions = {}): Promise<void> {
  host = await TestHost.start({ agents: guarded(), ...options });
}

/** A host whose agent answers when it is let to, and two clients. */
async function startGated(): Promise<{ a: WireClient; b: WireClient; open: () => void }> {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  await start({ agents: guarded(async () => void (await gate)) });
  return { a: await host.client(), b: await host.client(), open };
}

function authenticate(client: WireClient, token: string, more: object = {}) {
  return client.request('authenticate', { channel: ROOT_URI, resource: API, token, ...more });
}

function create(client: WireClient, channel = host.newSessionUri()) {
  return { channel, refused: client.refused('createSession', { channel, provider: 'test' }) };
}

async function saidIn(client: WireClient, chat: string): Promise<string> {
  return textOf((await chatState(client, chat)).turns.at(-1));
}

function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.c2lnbmF0dXJl`;
}

describe('authenticate', () => {
  it('is told of in root state, and needed to create a session', async () => {
    await start();
    const client = await host.client();
    const { agents } = await client.subscribe<RootState>(ROOT_URI);
    expect(agents[0]?.protectedResources).toEqual(RESOURCES);
    const error = await create(client).refused;
    expect(error).toMatchObject({ code: AhpErrorCodes.AuthRequired, data: { resources: [RESOURCES[0]] } });
    expect((await client.request('listSessions', { channel: ROOT_URI })).items).toEqual([]);
    expect(await authenticate(client, TOKEN_A)).toEqual({});
    const { chat } = await host.session(client, { provider: 'test' });
    await turn(client, chat, 'hi');
    expect(await saidIn(client, chat)).toBe('A none');
  });

  it.each([
    ['an unknown resource', { resource: 'https://elsewhere.example/' }, JsonRpcErrorCodes.InvalidParams],
    ['a resource of nearly the same name', { resource: API.slice(0, -1) }, JsonRpcErrorCodes.InvalidParams],
    ['an empty token', { token: '' }, JsonRpcErrorCodes.InvalidParams],
    ['a token that is no text', { token: 17 }, JsonRpcErrorCodes.InvalidParams],
    ['a token with a line break', { token: 'canary-0123456789\r\nX-Other: 1' }, JsonRpcErrorCodes.InvalidParams],
    ['an endless token', { token: 'canary'.repeat(10_000) }, JsonRpcErrorCodes.InvalidParams],
    ['another channel', { channel: 'ahp-session:/a' }, JsonRpcErrorCodes.InvalidParams],
    ['nonsense to share with', { _meta: { 'moorage.shareWith': 5 } }, JsonRpcErrorCodes.InvalidParams],
    ['a token that has expired', { token: jwt({ exp: 1000, sub: 'canary' }) }, AhpErrorCodes.AuthRequired],
  ])('refuses %s without repeating the token', async (_what, wrong, code) => {
    await start();
    const client = await host.client();
    const params = { channel: ROOT_URI, resource: API, token: TOKEN_A, ...wrong };
    const error = await client.refused('authenticate', params);
    expect(error.code).toBe(code);
    expect(JSON.stringify([error.message, error.data])).not.toMatch(/canary|token-of/);
    expect((await create(client).refused).code).toBe(AhpErrorCodes.AuthRequired);
  });

  it('bounds how many tokens a client may give', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ resource: `https://r${index}.example/` }));
    const agent = testAgent();
    await start({ agents: () => [{ ...agent, info: { ...agent.info, protectedResources: many } }] });
    const client = await host.client();
    for (const { resource } of many.slice(0, 100)) await authenticate(client, TOKEN_A, { resource });
    const error = await client.refused('authenticate', { channel: ROOT_URI, ...many[100], token: TOKEN_A });
    expect(error.message).toContain('100 tokens');
    await authenticate(client, TOKEN_B, many[0]); // another one in its place is welcome
  });
});

describe('starting a turn', () => {
  it('is rejected for a client without a token, which is told what it needs', async () => {
    await start();
    const [owner, other] = [await host.client(), await host.client()];
    await authenticate(owner, TOKEN_A);
    const { session, chat } = await host.session(owner, { provider: 'test' });
    await other.subscribe(session);
    await other.subscribe(chat);
    const started = {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 't1',
      message: userMessage('hi'),
    };
    expect(await reasonFor(other, chat, started)).toContain(API);
    expect(await other.notification('auth/required')).toEqual({
      channel: session,
      resource: expect.objectContaining({ resource: API }),
      reason: 'required',
    });
    const queued = { type: 'chat/pendingMessageSet', kind: 'queued', id: 'q1', message: userMessage('later') };
    expect(await reasonFor(other, chat, queued)).toContain(API);
    const initial = { channel: session, chat: host.newChatUri(), initialMessage: userMessage('hi') };
    expect((await other.refused('createChat', initial)).code).toBe(AhpErrorCodes.AuthRequired);
    await owner.sync();
    expect(owner.notifications.filter(({ method }) => method === 'auth/required')).toEqual([]);
    expect((await chatState(owner, chat)).turns).toEqual([]);
    await authenticate(other, TOKEN_B);
    await accepted(other, chat, started);
    await turnEnd(other, chat, 't1');
    expect(await saidIn(owner, chat)).toBe('B none');
    await other.request('createChat', initial);
    await other.subscribe(initial.chat);
    await expect.poll(() => saidIn(other, initial.chat), PATIENT).toBe('B none');
  });

  it("uses each client's own token in a session that they share", async () => {
    await start();
    const [a, b] = [await host.client(), await host.client()];
    await authenticate(a, TOKEN_A);
    await authenticate(b, TOKEN_B);
    const { session, chat } = await host.session(a, { provider: 'test' });
    await b.subscribe(session);
    await b.subscribe(chat);
    await turn(a, chat, 'one');
    expect(await saidIn(a, chat)).toBe('A none');
    await turn(b, chat, 'two');
    expect(await saidIn(a, chat)).toBe('B none');
  });

  it('takes a queued message for the client that queued it', async () => {
    const { a, b, open } = await startGated();
    await authenticate(a, TOKEN_A);
    await authenticate(b, TOKEN_B);
    const { chat } = await host.session(a, { provider: 'test' });
    await b.subscribe(chat);
    startTurn(a, chat, 'first');
    const message = userMessage('second');
    await accepted(b, chat, { type: 'chat/pendingMessageSet', kind: 'queued', id: 'q1', message });
    open();
    await expect.poll(async () => (await chatState(a, chat)).turns.map(textOf), PATIENT).toEqual(['A none', 'B none']);
  });

  it('lets a turn go on when its client leaves, and fails what that client had queued', async () => {
    const { a, b, open } = await startGated();
    await authenticate(a, TOKEN_A);
    const { chat } = await host.session(a, { provider: 'test' });
    await b.subscribe(chat);
    const running = startTurn(a, chat, 'first');
    const message = userMessage('second');
    await accepted(a, chat, { type: 'chat/pendingMessageSet', kind: 'queued', id: 'q1', message });
    await host.leave(a);
    open();
    await turnEnd(b, chat, running);
    await expect.poll(async () => (await chatState(b, chat)).turns.length, PATIENT).toBe(2);
    const [first, second] = (await chatState(b, chat)).turns;
    expect(textOf(first)).toBe('A none');
    expect(second).toMatchObject({ ...endedIn({ errorType: 'authRequired' }) });
  });
});

describe('sharing', () => {
  it.each([
    ['with all', () => 'all', 'A none'],
    ['with this session', (session: string) => [session], 'A none'],
    ['with another session', () => ['ahp-session:/another'], undefined],
  ])('a token %s is the choice of its owner', async (_what, shareWith, expected) => {
    await start();
    const [a, b] = [await host.client(), await host.client()];
    await authenticate(a, TOKEN_A);
    const { session, chat } = await host.session(a, { provider: 'test' });
    await b.subscribe(chat);
    await authenticate(a, TOKEN_A, { _meta: { 'moorage.shareWith': shareWith(session) } });
    const started = {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 't1',
      message: userMessage('hi'),
    };
    if (expected === undefined) {
      expect(await reasonFor(b, chat, started)).toContain(API);
      return;
    }
    await accepted(b, chat, started);
    await turnEnd(b, chat, 't1');
    expect(await saidIn(b, chat)).toBe(expected);
    await authenticate(a, TOKEN_A); // and it can be taken back
    expect(await reasonFor(b, chat, { ...started, turnId: 't2' })).toContain(API);
  });
});

describe('the end of a token', () => {
  it('comes when the token says so: its client is told, and gives a fresh one', async () => {
    const clock = new ManualClock();
    await start({ clock });
    const [a, b] = [await host.client(), await host.client()];
    const exp = Math.floor(clock.now() / 1000) + 60;
    await authenticate(a, jwt({ exp }));
    await authenticate(b, TOKEN_B);
    const { chat } = await host.session(a, { provider: 'test' });
    clock.advance(59_000);
    await turn(a, chat, 'in time');
    expect(a.notifications.filter(({ method }) => method === 'auth/required')).toEqual([]);
    clock.advance(2_000);
    expect(await a.notification('auth/required')).toEqual({
      channel: ROOT_URI,
      resource: expect.objectContaining({ resource: API }),
      reason: 'expired',
    });
    const started = {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 't2',
      message: userMessage('late'),
    };
    expect(await reasonFor(a, chat, started)).toContain(API);
    await authenticate(a, TOKEN_A);
    await turn(a, chat, 'again');
    expect(await saidIn(a, chat)).toBe('A none');
    await b.sync();
    expect(b.notifications.filter(({ method }) => method === 'auth/required')).toEqual([]);
  });

  it('comes when its client says so, if the token says nothing or something later', async () => {
    const clock = new ManualClock();
    await start({ clock });
    const later = Math.floor(clock.now() / 1000) + 3600;
    for (const token of [TOKEN_A, jwt({ exp: later })]) {
      const client = await host.client();
      const params = { channel: ROOT_URI, resource: API, token } as const;
      await client.request('authenticate', { ...params, expiresIn: 60 });
      await client.sync();
      clock.advance(59_000);
      await client.sync();
      expect(client.notifications.filter(({ method }) => method === 'auth/required')).toEqual([]);
      clock.advance(2_000);
      expect(await client.notification('auth/required')).toMatchObject({ reason: 'expired' });
      expect((await client.refused('authenticate', { ...params, expiresIn: 0 })).code).toBe(AhpErrorCodes.AuthRequired);
    }
  });

  it('comes when the clock says so, though it jumped there, and not before', async () => {
    const clock = new ManualClock();
    await start({ clock });
    const a = await host.client();
    await authenticate(a, jwt({ exp: Math.floor(clock.now() / 1000) + 60 }));
    const { chat } = await host.session(a, { provider: 'test' });
    clock.jump(-3_600_000); // its timer runs out long before the token does
    clock.advance(120_000);
    await turn(a, chat, 'in time');
    expect(a.notifications.filter(({ method }) => method === 'auth/required')).toEqual([]);
    clock.jump(2 * 3_600_000); // its timer would run for almost an hour more
    const started = {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'late',
      message: userMessage('late'),
    };
    expect(await reasonFor(a, chat, started)).toContain(API);
  });

  it('comes when the resource refuses it; the error does not show it', async () => {
    await start();
    const [a, b] = [await host.client(), await host.client()];
    await authenticate(a, TOKEN_A);
    await authenticate(b, TOKEN_B);
    const { session, chat } = await host.session(a, { provider: 'test' });
    await b.subscribe(chat);
    await turn(a, chat, 'refuse');
    expect(await a.notification('auth/required')).toEqual({
      channel: session,
      resource: expect.objectContaining({ resource: API }),
      reason: 'expired',
    });
    const [ended] = (await chatState(b, chat)).turns;
    const error = ended && errorOf(ended);
    expect(error).toEqual({ errorType: 'authRequired', message: 'the API refused [token]' });
    expect((await create(a).refused).code).toBe(AhpErrorCodes.AuthRequired);
    await turn(b, chat, 'of the other');
    expect(await saidIn(b, chat)).toBe('B none');
  });

  it('comes with the connection, also when the client comes back', async () => {
    await start();
    const a = await host.client();
    await authenticate(a, TOKEN_A);
    const { session, chat } = await host.session(a, { provider: 'test' });
    const { client: again } = await host.reconnect(a, [session, chat]); // takes the place of the first connection
    expect(await again.notification('auth/required')).toEqual({
      channel: session,
      resource: expect.objectContaining({ resource: API }),
      reason: 'required',
    });
    const started = {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 't2',
      message: userMessage('hi'),
    };
    expect(await reasonFor(again, chat, started)).toContain(API);
    await authenticate(again, TOKEN_B);
    await turn(again, chat, 'hi');
    expect(await saidIn(again, chat)).toBe('B none');
  });

  it('comes with the host: after a restart clients are told what their sessions need', async () => {
    await start();
    const a = await host.client();
    await authenticate(a, TOKEN_A, { _meta: { 'moorage.shareWith': 'all' } });
    const { session, chat } = await host.session(a, { provider: 'test' });
    await turn(a, chat, 'hi');
    await host.restart();
    const { client: again } = await host.reconnect(a, [ROOT_URI, session, chat]);
    expect(await again.notification('auth/required')).toEqual({
      channel: session,
      resource: expect.objectContaining({ resource: API }),
      reason: 'required',
    });
    expect((await create(again).refused).code).toBe(AhpErrorCodes.AuthRequired);
    await authenticate(again, TOKEN_A);
    await turn(again, chat, 'hi again');
    expect(await saidIn(again, chat)).toBe('A none');
  });

  it('is kept for nobody: a turn that waits goes on after a restart only with a new token', async () => {
    const agents = () => {
      const agent = testAgent({
        resumesTurns: true,
        prompt: async (given) => {
          await given.ask({ id: 'q', questions: [{ kind: 'text', id: 'x', message: 'Well?' }] });
          if (given.signal.aborted) return undefined;
          given.emit({ kind: 'text', text: digest(given.tokens.get(API)) });
          return undefined;
        },
      });
      return [{ ...agent, info: { ...agent.info, protectedResources: RESOURCES } }];
    };
    await start({ agents });
    const a = await host.client();
    await authenticate(a, TOKEN_A);
    const { session, chat } = await host.session(a, { provider: 'test' });
    const id = startTurn(a, chat, 'hi');
    await a.action(chat, 'chat/inputRequested');
    await host.restart();
    const { client: again } = await host.reconnect(a, [session, chat]);
    const other = await host.client();
    await authenticate(other, TOKEN_B); // is no business of this turn
    await authenticate(again, TOKEN_A);
    again.dispatch(chat, { type: 'chat/inputCompleted', requestId: 'q', response: 'decline' });
    await turnEnd(again, chat, id);
    expect(await saidIn(again, chat)).toBe('A');
  });
});

it('keeps tokens out of everything that is stored, logged or sent', async () => {
  const frames: string[] = [];
  await start({
    agents: guarded(async (given) => {
      if (given.message.text !== 'throw') return undefined;
      await Promise.race([stopped(given), Promise.resolve()]);
      throw new Error(`failed with ${given.tokens.get(API)}`);
    }),
  });
  const [a, b] = [await host.client(), await host.client({ subscriptions: [ROOT_URI] })];
  for (const client of [a, b]) client.socket.on('message', (data) => frames.push(data.toString()));
  await authenticate(a, TOKEN_A);
  const { session, chat } = await host.session(a, { provider: 'test' });
  await b.subscribe(session);
  await b.subscribe(chat);
  await turn(a, chat, 'hi');
  await turn(a, chat, 'throw');
  await turn(a, chat, 'refuse');
  await authenticate(a, TOKEN_A);
  await Promise.all([a.sync(), b.sync()]);
  expect(frames.length).toBeGreaterThan(20);
  expect(frames.join('\n')).not.toContain(TOKEN_A);
  expect(JSON.stringify(host.errors)).not.toContain(TOKEN_A);
  await host.stop();
  const files = readdirSync(host.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(readFileSync(join(file.parentPath, file.name)).includes(TOKEN_A)).toBe(false);
  await host.start();
});
