import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServerDeclaration } from '@moorage/host';
import { JsonRpcErrorCodes, openRequests, ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accepted, callsOf, chatState, PATIENT, shownIn, startTurn, turn, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { serverIs } from '../support/mcp.js';
import { ProtectedServer } from '../support/mcp-http-server.js';
import { TestHost, type TestHostOptions } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const TOKEN_A = 'token-of-client-a-0123456789';
const TOKEN_B = 'token-of-client-b-0123456789';
const ID = 'mcp:notes';

let server: ProtectedServer;
let host: TestHost;
let alice: WireClient;
let bob: WireClient;

beforeEach(async () => {
  server = await ProtectedServer.start();
});
afterEach(async () => {
  await host.dispose();
  await server.close();
});

async function start(options: TestHostOptions = {}): Promise<void> {
  const launch = { kind: 'http' as const, url: server.url };
  const notes: McpServerDeclaration = { id: ID, name: 'notes', uri: 'file:///config.json', enabled: true, launch };
  host = await TestHost.start({ mcp: { servers: [notes] }, ...options });
  alice = await host.client({ clientId: 'alice' });
  bob = await host.client({ clientId: 'bob' });
}

function authenticate(client: WireClient, token: string, more: object = {}) {
  return client.request('authenticate', { channel: ROOT_URI, resource: server.url, token, ...more });
}

async function note(client: WireClient, chat: string, text: string) {
  await turn(client, chat, `/mcp notes note {"text": "${text}"}`);
  return callsOf((await chatState(client, chat)).turns.at(-1)?.responseParts)[0];
}

const isWaiting = (client: WireClient, session: string) => serverIs(client, session, 'authRequired', ID);

it('a client authenticates for an MCP server that asks for it; then its tools can be called (B-241, OQ-73)', async () => {
  await start();
  const params = { channel: ROOT_URI, resource: server.url, token: TOKEN_A };
  expect(await alice.refused('authenticate', params)).toMatchObject({ code: JsonRpcErrorCodes.InvalidParams });
  const { session, chat } = await host.session(alice);
  const { state } = await isWaiting(alice, session);
  expect(state.resource.resource).toBe(server.url);
  expect(await note(alice, chat, 'early')).toMatchObject({ success: false });

  server.tokens.add(TOKEN_A);
  expect(await authenticate(alice, TOKEN_A)).toEqual({});
  await serverIs(alice, session, 'ready', ID);
  expect(await note(alice, chat, 'this')).toMatchObject({ success: true, content: [{ text: 'noted this' }] });
  expect(await authenticate(alice, TOKEN_A)).toEqual({}); // renewed before it is refused

  const { session: next } = await host.session(alice);
  await serverIs(alice, next, 'ready', ID);
  expect(alice.notifications.filter(({ method }) => method === 'auth/required')).toEqual([]);
  const files = readdirSync(host.folder).filter((name) => name.startsWith('store.sqlite'));
  const stored = files.map((name) => readFileSync(join(host.folder, name)).toString('latin1'));
  expect(JSON.stringify([stored, alice.envelopes, host.logged])).not.toContain(TOKEN_A);
});

it('the token of one client is not used for the session of another, unless it is shared', async () => {
  server.tokens.add(TOKEN_A).add(TOKEN_B);
  await start();
  const ofAlice = await host.session(alice);
  const ofBob = await host.session(bob);
  await isWaiting(bob, ofBob.session);
  await isWaiting(alice, ofAlice.session);
  await authenticate(alice, TOKEN_A);
  await serverIs(alice, ofAlice.session, 'ready', ID);
  expect(await note(bob, ofBob.chat, 'mine')).toMatchObject({ success: false });
  expect((await isWaiting(bob, ofBob.session)).state.reason).toBe('required');

  const before = server.seen.length;
  await authenticate(bob, TOKEN_B);
  await serverIs(bob, ofBob.session, 'ready', ID);
  expect(await note(bob, ofBob.chat, 'mine')).toMatchObject({ success: true });
  expect(new Set(server.seen.slice(before))).toEqual(new Set([`Bearer ${TOKEN_B}`]));

  const carol = await host.client({ clientId: 'carol' });
  const ofCarol = await host.session(carol);
  await isWaiting(carol, ofCarol.session);
  await authenticate(alice, TOKEN_A, { _meta: { 'moorage.shareWith': [ofCarol.session] } });
  await serverIs(carol, ofCarol.session, 'ready', ID);
});

it('the active client of a session brings its token, and takes it away', async () => {
  server.tokens.add(TOKEN_A);
  await start();
  const first = await host.session(alice);
  await isWaiting(alice, first.session);
  await authenticate(alice, TOKEN_A);
  const { session, chat } = await host.session(bob);
  await isWaiting(bob, session);
  await alice.subscribe(session);
  const activeClient = { clientId: 'alice', tools: [] };
  await accepted(alice, session, { type: 'session/activeClientSet', activeClient });
  await serverIs(bob, session, 'ready', ID);
  expect(await note(bob, chat, 'by both')).toMatchObject({ success: true });

  await host.leave(alice);
  const turnId = startTurn(bob, chat, '/mcp notes note {"text": "alone"}');
  const request = await shownIn(bob, chat, (state) => openRequests(state)[0]);
  await isWaiting(bob, session);
  server.tokens.add(TOKEN_B);
  await authenticate(bob, TOKEN_B); // that answers the question
  await turnEnd(bob, chat, turnId);
  expect(request.message).toContain('authentication');
  expect(callsOf((await chatState(bob, chat)).turns.at(-1)?.responseParts)).toMatchObject([{ success: true }]);
});

it('a token that ends is not used any more, and a restart forgets all', async () => {
  const clock = new ManualClock();
  await start({ clock });
  const { session, chat } = await host.session(alice);
  await isWaiting(alice, session);
  const claims = Buffer.from(JSON.stringify({ exp: Math.ceil(clock.now() / 1000) + 60 })).toString('base64url');
  const token = `e30.${claims}.c2lnbmF0dXJl`;
  server.tokens.add(token);
  await authenticate(alice, token);
  await serverIs(alice, session, 'ready', ID);
  clock.advance(62_000);
  const turnId = startTurn(alice, chat, '/mcp notes note {"text": "late"}');
  const request = await shownIn(alice, chat, (state) => openRequests(state)[0]);
  await accepted(alice, chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'decline' });
  await turnEnd(alice, chat, turnId);
  await isWaiting(alice, session);
  expect(server.seen.at(-1)).toBeUndefined();
  expect(alice.notifications.filter(({ method }) => method === 'auth/required')).toEqual([]);

  server.tokens.add(TOKEN_A);
  await authenticate(alice, TOKEN_A);
  await serverIs(alice, session, 'ready', ID);
  await host.restart();
  alice = await host.client({ clientId: 'alice' });
  await expect.poll(async () => (await isWaiting(alice, session)).state.reason, PATIENT).toBe('required');
});
