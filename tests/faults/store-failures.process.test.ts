import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type ChangesetState,
  changesetUri,
  type InitializeParams,
  ROOT_URI,
  type RootState,
  type SessionState,
  sessionUri,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, chatState, PATIENT, reasonFor, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { FailingStore, holds } from '../support/failing-store.js';
import { ManualClock } from '../support/manual-clock.js';
import { everything as everyTool, serverIs, serversIn } from '../support/mcp.js';
import { processesWith, useMark } from '../support/processes.js';
import { TerminalView } from '../support/terminals.js';
import { GatedAgent, stopped, testAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let store: FailingStore;
let agent: GatedAgent;
let clock: ManualClock;
let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
beforeEach(async () => {
  store = new FailingStore();
  agent = new GatedAgent();
  clock = new ManualClock();
  host = await TestHost.start({ store: store.wrap, agents: [agent], clock, workspaces: workspacesIn });
  client = await host.client({ subscriptions: [ROOT_URI] });
  ({ session, chat } = await host.session(client, { provider: 'test' }));
});
afterEach(() => host.dispose({ expectErrors: /^store\.commit-failed.*disk is full/ }));

const rename = (title: string) => ({ type: 'session/titleChanged', title });
const NOT_STORED = { code: -32603, message: FailingStore.MESSAGE };

/** What a client can see of the host. */
const everything = async () => ({
  session: await client.subscribe<SessionState>(session),
  chat: await chatState(client, chat),
  root: await client.subscribe(ROOT_URI),
  list: await client.request('listSessions', { channel: ROOT_URI }),
});

function expectRising(from: WireClient): void {
  const seqs = from.envelopes.map((envelope) => envelope.serverSeq);
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
}

describe('while the store fails', () => {
  it('a dispatch is rejected, and nothing has happened', async () => {
    const bob = await host.client({ subscriptions: [ROOT_URI, session, chat] });
    const before = await everything();
    store.fail();
    expect(await reasonFor(client, session, rename('Lost'))).toContain('could not store');
    const start = {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 't',
      message: userMessage('lost'),
    };
    expect(await reasonFor(client, chat, start)).toContain('could not store');
    expect(await everything()).toEqual(before);
    await bob.sync();
    expect(bob.received).toEqual([]);
    expect(agent.turns).toEqual([]);
    store.recover();
    const echo = await accepted(client, session, rename('Kept'));
    expect(await bob.action(session, 'session/titleChanged')).toEqual(rename('Kept'));
    expect(echo.serverSeq).toBeGreaterThan(before.list.items.length);
    expectRising(client);
  });

  it('a dispatch that was lost counts when it is sent again under the same number', async () => {
    store.fail();
    const clientSeq = client.dispatch(session, rename('Again'));
    const own = (e: { origin?: { clientSeq: number } | undefined }) => e.origin?.clientSeq === clientSeq;
    expect((await client.envelope(own)).rejectionReason).toContain('could not store');
    store.recover();
    client.peer.notify('dispatchAction', { channel: session, clientSeq, action: rename('Again') });
    await client.envelope((e) => own(e) && e.rejectionReason === undefined);
    expect((await client.subscribe<SessionState>(session)).title).toBe('Again');
  });

  it('a rejection for another reason still arrives', async () => {
    store.fail();
    const good = client.act(session, rename('Lost'));
    const bad = client.act(session, { type: 'session/ready' });
    expect((await good).rejectionReason).toContain('could not store');
    expect((await bad).rejectionReason).toContain('only by the host');
    expectRising(client);
  });

  it('a request is refused with what the store says, and nothing has happened', async () => {
    const turnId = startTurn(client, chat, 'work');
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(1);
    const before = await everything();
    const heard = client.received.length;
    const created = host.newSessionUri();
    const newChat = host.newChatUri();
    const requests: [string, object][] = [
      ['createSession', { channel: created }],
      ['createChat', { channel: session, chat: newChat, initialMessage: userMessage('x') }],
      ['disposeChat', { channel: chat }],
      ['disposeSession', { channel: session }],
    ];
    store.fail();
    for (const [method, params] of requests) {
      expect([method, await client.refused(method, params)]).toMatchObject([method, NOT_STORED]);
    }
    expect(await client.refused('subscribe', { channel: created })).toMatchObject({ code: -32001 });
    expect(await client.refused('subscribe', { channel: newChat })).toMatchObject({ code: -32008 });
    expect(await everything()).toEqual(before);
    expect(client.received).toHaveLength(heard);
    store.recover();
    expect((await chatState(client, chat)).activeTurn?.id).toBe(turnId);
    expect(agent.turns[0]?.signal.aborted).toBe(false);
    await client.request('createSession', { channel: created });
    expect(await client.action(ROOT_URI, 'root/activeSessionsChanged', 2)).toMatchObject({ activeSessions: 2 });
    await client.notification('root/sessionAdded', ({ summary }) => summary.resource === created);
    expect((await everything()).list.items).toHaveLength(2);
    agent.openAll();
    expect((await turnEnd(client, chat, turnId)).type).toBe('chat/turnComplete');
  });

  it('a new client cannot introduce itself, but a known one can come back and read', async () => {
    const stranger = await host.rawClient();
    const known = await host.client({ clientId: 'known' });
    const initialize: InitializeParams = { channel: ROOT_URI, clientId: 'stranger', protocolVersions: ['1.0.0'] };
    store.fail();
    expect(await stranger.refused('initialize', initialize)).toMatchObject(NOT_STORED);
    const { client: back } = await host.reconnect(known, [session]);
    expect((await back.subscribe<SessionState>(session)).provider).toBe('test');
    store.recover();
    expect(await stranger.request('initialize', initialize)).toMatchObject({ protocolVersion: '1.0.0' });
  });

  it('for long, numbers are still never used twice, also if the host dies then', async () => {
    await accepted(client, session, rename('Before'));
    store.fail();
    for (let count = 0; count < 800; count++) client.dispatch(session, rename(`Lost ${count}`));
    await client.sync();
    const crashed = await host.afterCrash({ agents: [testAgent()] });
    const initialize: InitializeParams = { channel: ROOT_URI, clientId: 'later', protocolVersions: ['1.0.0'] };
    const later = await crashed.rawClient();
    expect((await later.request('initialize', initialize)).serverSeq).toBeGreaterThanOrEqual(client.lastSeen);
    await crashed.dispose();
    store.recover();
    await accepted(client, session, rename('After'));
    expectRising(client);
  });
});

describe('a turn whose output cannot be stored', () => {
  const failed = {
    type: 'chat/error',
    part: { error: { errorType: 'storeFailed', message: expect.stringContaining('disk') } },
  };

  it('stops, and ends with an error once the store works again', async () => {
    agent.next = async (run) => {
      run.emit({ kind: 'text', text: 'stored' });
      await agent.gate();
      run.emit({ kind: 'text', text: ' and lost' });
      await new Promise<void>((resolve) => run.signal.addEventListener('abort', () => resolve()));
      return { kind: 'cancelled' };
    };
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/responsePart');
    store.fail();
    agent.open();
    await expect.poll(() => agent.turns[0]?.signal.aborted, PATIENT).toBe(true);
    const { failures } = store;
    clock.advance(1000); // the first try to end it fails as well
    await expect.poll(() => store.failures, PATIENT).toBeGreaterThan(failures);
    await client.sync();
    expect((await chatState(client, chat)).activeTurn?.id).toBe(turnId);
    store.recover();
    clock.advance(1000);
    expect(await turnEnd(client, chat, turnId)).toMatchObject(failed);
    expect(textOf((await chatState(client, chat)).turns[0])).toBe('stored');
    agent.next = async () => undefined;
    await turn(client, chat, 'again');
    expectRising(client);
  });

  it('is not left open when just its end was lost', async () => {
    const turnId = startTurn(client, chat, 'go');
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(1);
    store.fail(holds('chat/turnComplete'));
    agent.openAll();
    await expect.poll(() => store.failures, PATIENT).toBe(1);
    expect((await chatState(client, chat)).activeTurn?.id).toBe(turnId);
    clock.advance(1000);
    expect(await turnEnd(client, chat, turnId)).toMatchObject(failed);
    store.recover();
    await turn(client, chat, 'again');
  });
});

describe('what the host itself could not store', () => {
  it('it does once it can: a session becomes ready, and turns wait for that (B-102, OQ-38)', async () => {
    store.fail(holds('session/ready'));
    const created = host.newSessionUri();
    await client.request('createSession', { channel: created });
    const state = await client.subscribe<SessionState>(created);
    const waiting = state.defaultChat ?? '';
    await client.subscribe(waiting);
    expect(state.lifecycle).toBe('creating');
    const turnId = startTurn(client, waiting, 'early');
    await client.action(waiting, 'chat/turnStarted');
    expect(agent.turns).toEqual([]);
    clock.advance(1000);
    store.recover();
    agent.openAll();
    clock.advance(1000);
    await client.action(created, 'session/ready');
    expect((await turnEnd(client, waiting, turnId)).type).toBe('chat/turnComplete');
  });

  /** A turn has completed, and the message that waited for it could not be taken from the queue. */
  async function stuckQueue(): Promise<void> {
    const turnId = startTurn(client, chat, 'first');
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(1);
    for (const id of ['a', 'b']) {
      await accepted(client, chat, { type: 'chat/pendingMessageSet', kind: 'queued', id, message: userMessage(id) });
    }
    store.fail(holds('chat/pendingMessageRemoved'));
    agent.openAll();
    await turnEnd(client, chat, turnId);
    await expect.poll(() => store.failures, PATIENT).toBe(1);
  }
  const texts = async (from = client) => (await chatState(from, chat)).turns.map(({ message }) => message.text);

  it('it does once it can: the queue goes on (B-205)', async () => {
    await stuckQueue();
    clock.advance(1000);
    await expect.poll(() => store.failures, PATIENT).toBe(2);
    store.recover();
    clock.advance(1000);
    await client.action(chat, 'chat/turnComplete', 3);
    expect(await texts()).toEqual(['first', 'a', 'b']);
  });

  it('it does not when the user went another way: the queue rests after a cancelled turn (OQ-54)', async () => {
    await stuckQueue();
    store.recover();
    agent.next = async (run) => {
      await stopped(run);
      return undefined;
    };
    const turnId = startTurn(client, chat, 'instead');
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(2);
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    clock.advance(1000);
    await client.sync();
    expect(await texts()).toEqual(['first', 'instead']);
  });

  it('its next life does: the queue goes on (B-205)', async () => {
    await stuckQueue();
    const next = new GatedAgent();
    next.openAll();
    const crashed = await host.afterCrash({ agents: [next] });
    const later = await crashed.client();
    await expect.poll(() => texts(later), PATIENT).toEqual(['first', 'a', 'b']);
    await crashed.dispose();
  });

  it('its next life does: a message that was set while the queue rested starts it (OQ-54)', async () => {
    const turnId = startTurn(client, chat, 'first');
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(1);
    const set = (id: string) => ({ type: 'chat/pendingMessageSet', kind: 'queued', id, message: userMessage(id) });
    await accepted(client, chat, set('a'));
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    store.fail(holds('chat/pendingMessageRemoved'));
    await accepted(client, chat, set('b'));
    await expect.poll(() => store.failures, PATIENT).toBe(1);
    const next = new GatedAgent();
    next.openAll();
    const crashed = await host.afterCrash({ agents: [next] });
    const later = await crashed.client();
    await expect.poll(() => texts(later), PATIENT).toEqual(['first', 'a', 'b']);
    await crashed.dispose();
  });

  it('it does once it can: a turn of an earlier life has failed (B-83)', async () => {
    const turnId = startTurn(client, chat, 'go');
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(1);
    const disk = new FailingStore();
    const time = new ManualClock();
    disk.fail(holds('chat/error'));
    const crashed = await host.afterCrash({ agents: [new GatedAgent()], store: disk.wrap, clock: time });
    const later = await crashed.client();
    expect((await chatState(later, chat)).activeTurn?.id).toBe(turnId);
    disk.recover();
    time.advance(1000);
    expect(await turnEnd(later, chat, turnId)).toMatchObject({ part: { error: { errorType: 'hostRestarted' } } });
    await crashed.dispose({ expectErrors: /store\.commit-failed/ });
  });

  it('it does once it can: a sub-agent ends with the turn that started it (B-155)', async () => {
    agent.next = async (run) => {
      if (run.message.origin.kind === 'user') await run.spawn({ toolCallId: 'c', title: 'sub', message: 'help' });
      await stopped(run);
      return undefined;
    };
    const turnId = startTurn(client, chat, 'go');
    const { summary } = await client.action(session, 'session/chatAdded');
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(2);
    store.fail(({ log = [] }) => log.some(({ channel }) => channel === summary.resource));
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    await expect.poll(() => store.failures, PATIENT).toBe(1);
    expect(agent.turns[1]?.signal.aborted).toBe(false);
    store.recover();
    clock.advance(1000);
    await expect.poll(() => agent.turns[1]?.signal.aborted, PATIENT).toBe(true);
    expect((await chatState(client, summary.resource)).turns).toMatchObject([{ state: 'cancelled' }]);
  });

  it('the agent is told, where it wanted a sub-agent', async () => {
    store.fail(holds('session/chatAdded'));
    let refusal: unknown;
    agent.next = async (run) => {
      refusal = await run.spawn({ toolCallId: 'c', title: 'sub', message: 'help' }).catch((error: unknown) => error);
      return undefined;
    };
    await turn(client, chat, 'go');
    expect(refusal).toMatchObject({ errorType: 'storeFailed', message: expect.stringContaining('disk') });
  });

  it('it does once it can: the role of a client that left ends (B-135)', async () => {
    const bob = await host.client();
    const activeClient = { clientId: bob.clientId, tools: [] };
    bob.dispatch(session, { type: 'session/activeClientSet', activeClient });
    await client.action(session, 'session/activeClientSet');
    store.fail(holds('session/activeClientRemoved'));
    await host.leave(bob);
    await expect.poll(() => store.failures, PATIENT).toBe(1);
    store.recover();
    clock.advance(1000);
    expect(await client.action(session, 'session/activeClientRemoved')).toMatchObject({ clientId: bob.clientId });
  });
});

describe('what a turn changed', () => {
  it('is stored once it can be, as it was when the turn ended', async () => {
    agent.next = async ({ emit }) => {
      emit({ kind: 'toolCallStart', toolCallId: 'w', toolName: 'write', displayName: 'Write' });
      emit({ kind: 'toolCallRunning', toolCallId: 'w', invocationMessage: 'Write' });
      writeFileSync(join(host.workspace, 'own.txt'), 'by the turn');
      emit({ kind: 'toolCallDone', toolCallId: 'w', result: { success: true, pastTenseMessage: 'Wrote' } });
      return undefined;
    };
    store.fail(({ documents = [] }) => documents.some(({ json }) => json?.includes('"end":')));
    const turnId = startTurn(client, chat, 'go');
    await expect.poll(() => store.failures, PATIENT).toBe(1);
    store.recover();
    clock.advance(1000);
    await turnEnd(client, chat, turnId);
    writeFileSync(join(host.workspace, 'later.txt'), 'by somebody else');
    const next = await host.afterCrash({ agents: [testAgent()] });
    const later = await next.client();
    const uri = changesetUri(sessionUri.parse(session) ?? '', { kind: 'turn', turnId });
    const shown = async () => {
      const { status, files } = await later.subscribe<ChangesetState>(uri);
      return { status, names: files.map(({ id }) => basename(id)) };
    };
    await expect.poll(shown, PATIENT).toEqual({ status: 'ready', names: ['own.txt'] });
    await next.dispose();
  });
});

describe('what is in memory only', () => {
  /** From then on nothing can be said without the store: the numbers that it has reserved are used up. */
  async function failForLong(): Promise<void> {
    store.fail();
    for (let count = 0; count < 800; count++) client.dispatch(session, rename(`Lost ${count}`));
    await client.sync();
  }

  /** A changeset of which all has been told. */
  async function openChangeset(): Promise<string> {
    const { changesets } = await client.subscribe<SessionState>(session);
    if (!changesets) await client.action(session, 'session/changesetsChanged');
    const uri = changesetUri(sessionUri.parse(session) ?? '', { kind: 'uncommitted' });
    await client.subscribe(uri);
    await client.action(uri, 'changeset/operationsChanged');
    return uri;
  }

  it('is told again when it was lost: the files of a changeset (B-255, B-256)', async () => {
    const uri = await openChangeset();
    await failForLong();
    const { failures } = store;
    writeFileSync(join(host.workspace, 'new.txt'), 'new');
    await expect.poll(() => store.failures, PATIENT).toBeGreaterThan(failures);
    expect((await client.subscribe<ChangesetState>(uri)).files).toEqual([]);
    store.recover();
    clock.advance(1000);
    const { files } = await client.action(uri, 'changeset/contentChanged', 2);
    expect(files.map(({ id }) => basename(id))).toEqual(['new.txt']);
  });

  it('is told again when it was lost: that something changed below a watch (B-303)', async () => {
    const params = { channel: ROOT_URI, uri: host.workspaceUri, recursive: true } as const;
    const { channel } = await client.request('createResourceWatch', params);
    await client.subscribe(channel);
    await failForLong();
    const { failures } = store;
    writeFileSync(join(host.workspace, 'new.txt'), 'new');
    const lost = () => {
      clock.advance(50);
      return store.failures;
    };
    await expect.poll(lost, PATIENT).toBeGreaterThan(failures);
    store.recover();
    clock.advance(1100);
    const items = [{ uri: host.workspaceUri, type: 'updated' }];
    expect(await client.action(channel, 'resourceWatch/changed')).toMatchObject({ changes: { items } });
  });

  it('goes on when the end of its session was lost', async () => {
    const uri = await openChangeset();
    store.fail();
    expect(await client.refused('disposeSession', { channel: session })).toMatchObject(NOT_STORED);
    store.recover();
    writeFileSync(join(host.workspace, 'new.txt'), 'new');
    expect(basename((await client.action(uri, 'changeset/fileSet')).file.id)).toBe('new.txt');
  });
});

describe('MCP servers', () => {
  const mark = useMark();
  let served: TestHost;
  beforeEach(async () => {
    served = await TestHost.start({
      store: store.wrap,
      agents: [agent],
      clock,
      mcp: { servers: [everyTool(mark.text)] },
    });
    client = await served.client({ capabilities: { mcpApps: {} } });
  });
  afterEach(() => served.dispose({ expectErrors: /^store\.commit-failed/ }));

  it('that run are shown as running, though something else of their session was lost', async () => {
    ({ session } = await served.session(client, { provider: 'test' }));
    await serverIs(client, session, 'ready');
    const bob = await served.client();
    bob.dispatch(session, { type: 'session/activeClientSet', activeClient: { clientId: bob.clientId, tools: [] } });
    await client.action(session, 'session/activeClientSet');
    store.fail(holds('session/activeClientRemoved'));
    await served.leave(bob);
    await expect.poll(() => store.failures, PATIENT).toBe(1);
    store.recover();
    clock.advance(1000);
    await client.action(session, 'session/activeClientRemoved');
    expect(await serversIn(client, session)).toMatchObject([{ state: { kind: 'ready' } }]);
  });

  it('run on when the end of their session was lost, and end with it', async () => {
    ({ session } = await served.session(client, { provider: 'test' }));
    const { channel = '' } = await serverIs(client, session, 'ready');
    const [pid = 0] = processesWith(mark.text);
    store.fail();
    expect(await client.refused('disposeSession', { channel: session })).toMatchObject(NOT_STORED);
    store.recover();
    expect(await client.peer.request('tools/list', { channel })).toHaveProperty('tools');
    expect(processesWith(mark.text)).toContain(pid);
    await client.request('disposeSession', { channel: session });
    await expect.poll(() => processesWith(mark.text), PATIENT).toEqual([]);
  });

  it('are shown as they are once that can be stored', async () => {
    store.fail(
      (batch) =>
        holds('session/mcpServerStateChanged')(batch) && batch.log?.[0]?.envelopes.includes('"ready"') === true,
    );
    ({ session } = await served.session(client, { provider: 'test' }));
    await expect.poll(() => store.failures, PATIENT).toBe(1);
    expect(await serversIn(client, session)).toMatchObject([{ state: { kind: 'starting' } }]);
    store.recover();
    clock.advance(1000);
    await serverIs(client, session, 'ready');
  });
});

describe('a terminal', () => {
  let served: TestHost;
  let terminal: TerminalView;
  beforeEach(async () => {
    served = await TestHost.start({ store: store.wrap, agents: [agent] });
    client = await served.client({ subscriptions: [ROOT_URI] });
    ({ session } = await served.session(client, { provider: 'test' }));
    terminal = await TerminalView.open(client, { claim: { kind: 'session', session, chat } });
  });
  afterEach(() => served.dispose({ expectErrors: /^store\.commit-failed/ }));

  const listed = async () => {
    const { terminals = [] } = await client.subscribe<RootState>(ROOT_URI);
    return terminals.map(({ resource }) => resource);
  };
  /** What was typed while the program still runs is seen: its exit would be told first. */
  async function expectAlive(): Promise<void> {
    terminal.type('echo still-$((40+2))\r');
    await terminal.untilText('still-42');
    expect(await listed()).toEqual([terminal.uri]);
  }

  it('goes on when the end of its session was lost, and ends with it', async () => {
    store.fail();
    expect(await client.refused('disposeSession', { channel: session })).toMatchObject(NOT_STORED);
    store.recover();
    await expectAlive();
    await client.request('disposeSession', { channel: session });
    expect(await listed()).toEqual([]);
    expect(await client.refused('subscribe', { channel: terminal.uri })).toMatchObject({ code: -32008 });
  });

  it('goes on when its own end was lost, and can be ended then', async () => {
    store.fail();
    for (let count = 0; count < 800; count++) client.dispatch(session, rename(`Lost ${count}`)); // every number that is reserved
    expect(await client.refused('disposeTerminal', { channel: terminal.uri })).toMatchObject(NOT_STORED);
    store.recover();
    await expectAlive();
    await client.request('disposeTerminal', { channel: terminal.uri });
    expect(await listed()).toEqual([]);
  });
});

describe('a session that was never ready', () => {
  it('has failed when its agent is gone after a restart, with its turns (B-102, OQ-31, OQ-38, OQ-45)', async () => {
    store.fail(holds('session/ready'));
    const created = host.newSessionUri();
    await client.request('createSession', { channel: created });
    const { defaultChat: early = '' } = await client.subscribe<SessionState>(created);
    await client.subscribe(early);
    const turnId = startTurn(client, early, 'early');
    await client.action(early, 'chat/turnStarted');
    const next = await host.afterCrash({
      agents: [{ ...testAgent(), info: { ...testAgent().info, provider: 'other' } }],
    });
    const later = await next.client();
    const error = { errorType: 'providerNotFound', message: expect.stringContaining('"test"') };
    expect(await later.subscribe<SessionState>(created)).toMatchObject({
      lifecycle: 'failed',
      creationError: error,
    });
    expect((await chatState(later, early)).turns).toMatchObject([{ id: turnId, state: 'error' }]);
    const message = userMessage('again');
    expect(
      await reasonFor(later, early, {
        type: 'chat/turnStarted',
        startedAt: '2026-01-01T00:00:00.000Z',
        turnId: 'x',
        message,
      }),
    ).toContain('could not be created');
    const queued = { type: 'chat/pendingMessageSet', kind: 'queued', id: 'q', message };
    expect(await reasonFor(later, early, queued)).toContain('could not be created');
    const more = { channel: created, chat: next.newChatUri() };
    expect(await later.refused('createChat', more)).toMatchObject({ code: -32600 });
    const { items } = await later.request('listSessions', { channel: ROOT_URI });
    expect(items.map((item) => item.resource)).toContain(created);
    await later.request('disposeSession', { channel: created });
    await next.dispose();
  });
});
