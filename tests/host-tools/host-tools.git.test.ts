import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AuditEntry,
  type FilePeople,
  filePeople,
  type HostToolsEndpoint,
  httpHostTools,
  nodeClock,
} from '@moorage/host';
import { type ChatState, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { created, onSessions, shown } from '../automations/rig.js';
import { callsOf, chatState, shownIn, textOf, turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let people: FilePeople;
let endpoint: HostToolsEndpoint;
let audited: AuditEntry[];
/** The address of the tools, and the secrets in the order of the sessions that got one. */
let launches: { url: string; headers: Readonly<Record<string, string>> }[];
let host: TestHost;
let owner: WireClient;

async function start(enabled: boolean): Promise<void> {
  people = filePeople({ file: join(tmpdir(), `moorage-people-${crypto.randomUUID()}.json`), clock: nodeClock });
  const real = await httpHostTools({
    write: (_level, _event, message, fields) => audited.push({ message, fields } as never),
  });
  launches = [];
  audited = [];
  endpoint = {
    ...real,
    launchFor: (secret) => {
      const launch = real.launchFor(secret);
      if (launch.kind === 'http') launches.push({ url: launch.url, headers: launch.headers ?? {} });
      return launch;
    },
  };
  const audit = {
    record: (entry: AuditEntry) => void audited.push(entry),
    read: async () => ({ items: [], isIntact: true }),
  };
  host = await TestHost.start({ people, hostTools: { endpoint, enabled }, audit, workspaces: workspacesIn });
  owner = await host.client();
}

beforeEach(() => start(true));
afterEach(async () => {
  people.close();
  await host.dispose();
});

/** A session whose agent has tools, with how it reaches them. */
async function armed(client: WireClient = owner, params: object = {}) {
  const made = await host.session(client, params);
  await turn(client, made.chat, '/say ready'); // its servers are known now
  const launch = launches.at(-1);
  if (!launch) throw new Error('the session has no tools');
  return { ...made, call: (name: string, args: object = {}) => called(launch, name, args) };
}

async function post({ url, headers }: (typeof launches)[number], body: unknown): Promise<Response> {
  const accept = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
  return fetch(url, {
    method: 'POST',
    headers: { ...headers, ...accept },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** What a tool answers; a failed call begins with `failed: `. */
async function called(launch: (typeof launches)[number], name: string, args: object): Promise<string> {
  const answer = await post(launch, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  if (!answer.ok) return `refused with ${answer.status}`;
  const { result } = (await answer.json()) as { result: { isError?: boolean; content: { text: string }[] } };
  const text = result.content.map((part) => part.text).join();
  return result.isError ? `failed: ${text}` : text;
}

async function invited(name: string): Promise<WireClient> {
  const { secret } = await owner.request('moorage/invitePerson', { channel: ROOT_URI, name, role: 'steer' });
  return host.client({ token: people.redeem(secret) ?? '' });
}

const uriIn = (text: string) => /ahp-session:\/\S+[^.\s]/.exec(text)?.[0] ?? '';

describe('the tools of the host', () => {
  it('let an agent find, read and message another session of its user, and see its changes', async () => {
    const other = await host.session(owner);
    await turn(owner, other.chat, '/title The other one\n/auto on\n/write made.txt hello\n/say it is made');
    const { session, call } = await armed();
    const list = await call('list_sessions');
    expect(list).toContain(`${other.session} "The other one"`);
    expect(list).not.toContain(session);
    expect(await call('read_session', { session: other.session })).toContain('it is made');
    expect(await call('read_changes', { session: other.session })).toBe(`added: ${host.workspace}/made.txt`);
    expect(await call('send_message', { session: other.session, text: '/say well done' })).toContain('Sent');
    const { message } = await shownIn(owner, other.chat, ({ turns }) =>
      turns.find((one) => textOf(one) === 'well done'),
    );
    expect(message).toMatchObject({ origin: { kind: 'agent' }, _meta: { 'moorage.startedBy': { session } } });
    expect(audited.at(-1)).toMatchObject({
      person: 'owner',
      program: 'an agent',
      what: 'chat/turnStarted',
      about: { source: session },
    });
  });

  it('are MCP tools of the session, for which its user is asked unless they only read', async () => {
    const other = await host.session(owner);
    const { chat } = await host.session(owner);
    await turn(owner, chat, '/mcp moorage list_sessions {}');
    expect(JSON.stringify((await chatState(owner, chat)).turns[0])).toContain(other.session);
    owner.dispatch(chat, {
      type: 'chat/turnStarted',
      turnId: 'asks',
      startedAt: new Date().toISOString(),
      message: {
        text: `/mcp moorage send_message ${JSON.stringify({ session: other.session, text: '/say hi' })}`,
        origin: { kind: 'user' },
      },
    });
    const waiting = await shownIn(owner, chat, ({ activeTurn }) =>
      callsOf(activeTurn?.responseParts).find(({ status }) => status === 'pending-confirmation'),
    );
    owner.dispatch(chat, {
      type: 'chat/toolCallConfirmed',
      turnId: 'asks',
      toolCallId: waiting.toolCallId,
      approved: true,
      confirmed: 'user-action',
    });
    await shownIn(owner, other.chat, ({ turns }) => turns[0]);
  });

  it('begin sessions in the same folder, marked as begun by an agent, which set off no automation', async () => {
    const automation = await created(owner, { triggers: [onSessions('turnEnded')], disableConditions: [] });
    const { session, call } = await armed();
    const before = (await shown(owner, automation)).runCount;
    const begun = uriIn(await call('start_session', { text: '/say from an agent' }));
    const state = await owner.subscribe<SessionState>(begun);
    expect(state).toMatchObject({
      provider: 'demo',
      workingDirectories: [host.workspaceUri],
      _meta: { 'moorage.startedBy': { session, depth: 1 } },
    });
    await shownIn(owner, state.defaultChat ?? '', ({ turns }) => turns.find((one) => textOf(one) === 'from an agent'));
    expect((await shown(owner, automation)).runCount).toBe(before);
    expect(await call('read_session', { session: begun })).toContain('from an agent');
  });
});

describe('an agent that was talked into more', () => {
  it('sees and reaches nothing of others', async () => {
    const ada = await invited('ada');
    const hers = await host.session(ada);
    await turn(ada, hers.chat, '/say her secret');
    const { call } = await armed();
    expect(await call('list_sessions')).not.toContain(hers.session);
    for (const [tool, args] of [
      ['read_session', {}],
      ['read_changes', {}],
      ['send_message', { text: '/say got you' }],
    ] as const)
      expect(await call(tool, { session: hers.session, ...args })).toContain('failed: there is no session');
    const own = await armed(ada);
    expect(await own.call('list_sessions')).toContain(hers.session);
    expect(await own.call('read_session', { session: hers.session })).toContain('her secret');
    await owner.request('moorage/revokePerson', { channel: ROOT_URI, name: 'ada' });
    expect(await own.call('list_sessions')).toBe('There are no others.');
    expect(await own.call('start_session', { text: '/say hi' })).toContain('failed: this access has ended');
    expect((await owner.subscribe<ChatState>(hers.chat)).turns).toHaveLength(1);
  });

  it('reaches no session that was removed, and nothing once its own is', async () => {
    const other = await host.session(owner);
    const { session, call } = await armed();
    await owner.request('disposeSession', { channel: other.session });
    expect(await call('read_session', { session: other.session })).toContain('there is no session');
    expect(await call('send_message', { session: other.session, text: 'x' })).toContain('there is no session');
    await owner.request('disposeSession', { channel: session });
    expect(await call('list_sessions')).toBe('refused with 401');
  });

  it('begins a few sessions, and these a few, and these none', async () => {
    const { call } = await armed();
    const begun: string[] = [];
    for (let count = 0; count < 5; count++) begun.push(uriIn(await call('start_session', { text: '/say hi' })));
    expect(await call('start_session', { text: '/say hi' })).toContain('failed: your session has had its 5 sessions');
    const [first = ''] = begun;
    await shownIn(owner, (await owner.subscribe<SessionState>(first)).defaultChat ?? '', ({ turns }) => turns[0]);
    const launchOf = launches.length - 1;
    const second = await firstThatMay(launches.slice(0, launchOf + 1).reverse(), 'start_session', {
      text: '/say deeper',
    });
    expect(uriIn(second)).not.toBe('');
    const deep = await owner.subscribe<SessionState>(uriIn(second));
    expect(deep._meta).toMatchObject({ 'moorage.startedBy': { depth: 2 } });
    await shownIn(owner, deep.defaultChat ?? '', ({ turns }) => turns[0]);
    const deepest = launches.at(-1);
    if (deepest) expect(await called(deepest, 'start_session', { text: '/say hi' })).toContain('do it yourself');
  });

  it('sends a bounded number of messages, and none to itself, to one that works, or that is too long', async () => {
    const other = await host.session(owner);
    const { session, call } = await armed();
    expect(await call('send_message', { session, text: 'x' })).toContain('your own session');
    expect(await call('send_message', { session: other.session, text: ' ' })).toContain('say what the message is');
    expect(await call('send_message', { session: other.session, text: 'x'.repeat(40_000) })).toContain(
      '32768 characters',
    );
    for (let count = 0; count < 30; count++) {
      expect(await call('send_message', { session: other.session, text: '/say ok' })).toContain('Sent');
      await shownIn(
        owner,
        other.chat,
        ({ turns, activeTurn }) => (!activeTurn && turns.length === count + 1) || undefined,
      );
    }
    expect(await call('send_message', { session: other.session, text: '/say ok' })).toContain('its 30 messages');
    owner.dispatch(other.chat, {
      type: 'chat/turnStarted',
      turnId: 'busy',
      startedAt: new Date().toISOString(),
      message: { text: '/ask Which? | a', origin: { kind: 'user' } },
    });
    await shownIn(owner, other.chat, ({ activeTurn }) => activeTurn);
    expect(await call('send_message', { session: other.session, text: '/say ok' })).toContain(
      'that session is at work',
    );
  });

  it('gets nothing without the secret of a session, by other methods, or with what is no call', async () => {
    const { call } = await armed();
    expect(await call('no_such_tool')).toContain('failed: there is no tool');
    expect(await call('read_session', { session: 7 })).toContain('there is no session');
    const [launch] = launches;
    if (!launch) throw new Error('no tools');
    const { url, headers } = launch;
    expect(new URL(url).hostname).toBe('127.0.0.1');
    for (const Authorization of ['', 'Bearer x', 'Basic x'])
      expect((await post({ url, headers: { Authorization } }, {})).status).toBe(401);
    expect((await fetch(url, { headers })).status).toBe(405);
    expect((await post(launch, 'no json')).status).toBe(400);
    expect((await post(launch, 'x'.repeat(300_000))).status).toBe(400);
  });
});

it('a session has no tools of the host until its user switches them on, where they are only offered', async () => {
  people.close();
  await host.dispose();
  await start(false);
  const { session, chat } = await host.session(owner);
  await turn(owner, chat, '/mcp moorage list_sessions {}');
  expect(JSON.stringify((await chatState(owner, chat)).turns[0])).toMatch(/not ready \(stopped\)|no MCP server/);
  const { customizations } = await owner.subscribe<SessionState>(session);
  const server = customizations?.find(({ name }) => name === 'moorage');
  owner.dispatch(session, {
    type: 'session/customizationToggled',
    id: server?.id ?? '',
    enablement: [{ kind: 'session', enabled: true }],
  });
  await turn(owner, chat, '/mcp moorage list_sessions {}');
  expect(JSON.stringify((await chatState(owner, chat)).turns[1])).toContain('There are no others');
});

/** The answer of the first that is not refused for what it has done before. */
async function firstThatMay(all: typeof launches, name: string, args: object): Promise<string> {
  for (const launch of all) {
    const answer = await called(launch, name, args);
    if (!answer.startsWith('failed')) return answer;
  }
  return '';
}
