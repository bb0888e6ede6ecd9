import { actionTable, type ChatState, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, reasonFor } from '../support/actions.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
let bob: WireClient;
let session: string;
let channels: Record<string, string>;
beforeEach(async () => {
  host = await TestHost.start();
  client = await host.client({ subscriptions: [ROOT_URI] });
  const made = await host.session(client);
  session = made.session;
  channels = { root: ROOT_URI, session, chat: made.chat, annotations: `${session}/annotations` };
  bob = await host.client({ subscriptions: [ROOT_URI, session, made.chat] });
});
afterEach(() => host.dispose());

const rows = Object.entries(actionTable);
const CLIENT_TYPES = new Set(rows.flatMap(([type, row]) => (row.sender === 'client' ? type : [])));

/** Those of the channels that this host has. */
const SERVED_TYPES = [...CLIENT_TYPES].filter((type) => /^(root|session|chat|annotations)\//.test(type));

describe('an action that a client may not send', () => {
  it('is rejected with a reason, whatever its type (B-62, OQ-20, OQ-29)', async () => {
    for (const [type, { kind }] of rows) {
      const channel = channels[kind];
      if (!channel || CLIENT_TYPES.has(type)) continue;
      expect([type, await reasonFor(client, channel, { type })]).toEqual([
        type,
        expect.stringContaining('only by the host'),
      ]);
    }
    for (const type of ['session/unheardOf', 'nonsense', '', 'constructor', '__proto__']) {
      expect(await reasonFor(client, session, { type })).toContain('unknown action type');
    }
  });

  it('on a channel of another kind is rejected (OQ-20)', async () => {
    for (const [type, { kind }] of rows) {
      for (const [other, channel] of Object.entries(channels)) {
        if (other === kind) continue;
        if (kind === 'chat' && other === 'session') continue; // clients mean the default chat of the session
        expect(await reasonFor(client, channel, { type })).toContain(`does not belong on a ${other} channel`);
      }
    }
  });

  it('does not reach anybody else, and changes nothing (B-60, OQ-19)', async () => {
    const before = await bob.subscribe<SessionState>(session);
    const { lastSeen } = client;
    const first = await client.act(session, { type: 'session/ready' });
    const second = await client.act(session, { type: 'session/ready' });
    expect(first).toMatchObject({ action: { type: 'session/ready' }, origin: { clientId: client.clientId } });
    expect(first.serverSeq).toBeGreaterThan(lastSeen);
    expect(second.serverSeq).toBeGreaterThan(first.serverSeq);
    await bob.sync();
    expect(bob.received).toEqual([]);
    expect(await bob.subscribe<SessionState>(session)).toEqual(before);
  });
});

const MALFORMED: [kind: string, action: { type: string; [member: string]: unknown }, path: string][] = [
  ['session', { type: 'session/titleChanged' }, '/title'],
  ['session', { type: 'session/titleChanged', title: 7 }, '/title'],
  ['session', { type: 'session/isReadChanged', isRead: 'yes' }, '/isRead'],
  ['session', { type: 'session/isArchivedChanged' }, '/isArchived'],
  ['session', { type: 'session/activeClientSet' }, '/activeClient'],
  ['session', { type: 'session/activeClientSet', activeClient: { clientId: 'x' } }, '/activeClient'],
  ['session', { type: 'session/activeClientRemoved' }, '/clientId'],
  ['session', { type: 'session/workingDirectorySet' }, '/directory'],
  ['session', { type: 'session/workingDirectoryRemoved', directory: 7 }, '/directory'],
  ['session', { type: 'session/workingDirectoryReplaced', directory: 'file:///a' }, '/replacement'],
  ['session', { type: 'session/mcpServerStartRequested' }, '/id'],
  ['session', { type: 'session/mcpServerStopRequested', id: 7 }, '/id'],
  ['session', { type: 'session/mcpServerBackgroundRequested' }, '/id'],
  ['session', { type: 'session/customizationToggled', id: 'x' }, '/enablement'],
  ['session', { type: 'session/configChanged' }, '/config'],
  ['session', { type: 'session/defaultChatChanged', defaultChat: 7 }, '/defaultChat'],
  ['root', { type: 'root/configChanged', config: [] }, '/config'],
  ['chat', { type: 'chat/turnStarted', startedAt: '2026-01-01T00:00:00.000Z', turnId: 't' }, '/message'],
  [
    'chat',
    { type: 'chat/turnStarted', startedAt: '2026-01-01T00:00:00.000Z', turnId: 't', message: { text: 'x' } },
    '/message/origin',
  ],
  [
    'chat',
    {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 't',
      message: { text: 'x', origin: { kind: 'god' } },
    },
    'messages of the user',
  ],
  ['chat', { type: 'chat/turnStarted', startedAt: 'yesterday', turnId: 't', message: userMessage('x') }, 'startedAt'],
  ['chat', { type: 'chat/turnCancelled' }, '/turnId'],
  ['chat', { type: 'chat/turnCancelled', turnId: 't' }, '/duration'],
  ['chat', { type: 'chat/turnResume' }, '/turnId'],
  ['chat', { type: 'chat/draftChanged', draft: 'x' }, '/draft'],
  ['chat', { type: 'chat/draftChanged', draft: { ...userMessage('x'), model: {} } }, '/draft/model/id'],
  ['chat', { type: 'chat/isReadChanged' }, '/isRead'],
  ['chat', { type: 'chat/isArchivedChanged', isArchived: 1 }, '/isArchived'],
  ['chat', { type: 'chat/workingDirectorySet' }, '/directory'],
  ['chat', { type: 'chat/workingDirectoryRemoved' }, '/directory'],
  ['chat', { type: 'chat/truncated', turnId: 7 }, '/turnId'],
  ['chat', { type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: 'yes' }, '/approved'],
  ['chat', { type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: true }, '/confirmed'],
  [
    'chat',
    { type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: false, reason: 'result-denied' },
    '/reason',
  ],
  ['chat', { type: 'chat/toolCallResultConfirmed', turnId: 't', toolCallId: 'c' }, '/approved'],
  [
    'chat',
    { type: 'chat/toolCallComplete', turnId: 't', toolCallId: 'c', result: { success: true } },
    '/result/pastTenseMessage',
  ],
  [
    'chat',
    { type: 'chat/toolCallContentChanged', turnId: 't', toolCallId: 'c', content: [{ type: 'text' }] },
    '/content/0',
  ],
  [
    'chat',
    { type: 'chat/pendingMessageSet', kind: 'later', id: 'q', message: { text: 'x', origin: { kind: 'user' } } },
    '/kind',
  ],
  ['chat', { type: 'chat/pendingMessageRemoved', kind: 'queued' }, '/id'],
  ['chat', { type: 'chat/queuedMessagesReordered', order: [1] }, '/order/0'],
  ['chat', { type: 'chat/inputAnswerChanged', requestId: 'r' }, '/questionId'],
  ['chat', { type: 'chat/inputCompleted', requestId: 'r', response: 'maybe' }, '/response'],
  ['annotations', { type: 'annotations/set', annotation: { id: 'a' } }, '/annotation/'],
  ['annotations', { type: 'annotations/updated', annotationId: 'a', resolved: 1 }, '/resolved'],
  ['annotations', { type: 'annotations/removed' }, '/annotationId'],
  ['annotations', { type: 'annotations/entrySet', annotationId: 'a', entry: { id: 'e' } }, '/entry/text'],
  ['annotations', { type: 'annotations/entryRemoved', annotationId: 'a' }, '/entryId'],
];

it('a malformed action is rejected with the place (OQ-20)', async () => {
  for (const [kind, action, path] of MALFORMED) {
    const reason = await reasonFor(client, channels[kind] ?? '', action);
    expect([action, reason]).toEqual([action, expect.stringContaining(path)]);
  }
  expect(new Set(MALFORMED.map(([, { type }]) => type))).toEqual(new Set(SERVED_TYPES));
});

describe('a dispatch', () => {
  it('to a channel that is unknown is ignored silently (B-61, OQ-20)', async () => {
    const title = { type: 'session/titleChanged', title: 'x' };
    for (const channel of [
      host.newSessionUri(),
      host.newChatUri(),
      'ahp-terminal:/x',
      'x:/y/annotations',
      'nonsense',
      '',
    ]) {
      client.dispatch(channel, title);
    }
    await client.sync();
    expect(client.envelopes.filter((envelope) => envelope.origin)).toEqual([]);
  });

  it('needs no subscription; only a rejection is told then (OQ-21)', async () => {
    const stranger = await host.client();
    stranger.dispatch(session, { type: 'session/titleChanged', title: 'By a stranger' });
    await stranger.sync();
    expect(stranger.received).toEqual([]);
    const heard = await bob.action(session, 'session/titleChanged');
    expect(heard.title).toBe('By a stranger');
    expect(await reasonFor(stranger, session, { type: 'session/ready' })).toBeTruthy();
  });

  it('is echoed to everybody with its origin, in the order of serverSeq (B-56, B-57, B-66)', async () => {
    const echo = await accepted(client, session, { type: 'session/titleChanged', title: 'Echo' });
    expect(echo.origin).toEqual({ clientId: client.clientId, clientSeq: client.clientSeq });
    expect(await bob.envelope((envelope) => envelope.serverSeq === echo.serverSeq)).toEqual(echo);
    const seqs = client.envelopes.map((envelope) => envelope.serverSeq);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  });

  it('counts even if its clientSeq was used before: some clients send several actions with the same one (OQ-23)', async () => {
    const titles = ['One', 'Two', 'Two'];
    for (const title of titles) {
      const action = { type: 'session/titleChanged', title };
      client.peer.notify('dispatchAction', { channel: session, clientSeq: 0, action });
    }
    await client.sync();
    const echoes = client.envelopes.filter(({ origin }) => origin?.clientId === client.clientId);
    expect(echoes).toMatchObject(titles.map((title) => ({ origin: { clientSeq: 0 }, action: { title } })));
    expect(echoes.every(({ rejectionReason }) => rejectionReason === undefined)).toBe(true);
  });

  it('loses its null members before it is judged (OQ-24)', async () => {
    const { chat = '' } = channels;
    await accepted(client, chat, { type: 'chat/draftChanged', draft: userMessage('hello') });
    const cleared = await accepted(client, chat, { type: 'chat/draftChanged', draft: null });
    expect(cleared.action).toEqual({ type: 'chat/draftChanged' });
    expect((await client.subscribe<ChatState>(chat)).draft).toBeUndefined();
  });

  it('may have further members of any form', async () => {
    for (const message of [null, 'text', { attachments: 'none' }, { attachments: {} }]) {
      await accepted(client, session, { type: 'session/titleChanged', title: 'Named', message });
    }
  });

  it('that VS Code sends although only a host may is rejected, and the connection goes on (V-24)', async () => {
    const before = await bob.subscribe<SessionState>(session);
    const meta = { type: 'session/metaChanged', _meta: { git: { branchName: 'main' } } };
    expect(await reasonFor(client, session, meta)).toContain('can be sent only by the host');
    expect(await bob.subscribe<SessionState>(session)).toEqual(before);
    await accepted(client, session, { type: 'session/titleChanged', title: 'Still there' });
  });

  it('on the root channel changes only settings that there are (B-97, OQ-39)', async () => {
    expect(await reasonFor(client, ROOT_URI, { type: 'root/configChanged', config: { a: 1 } })).toContain(
      'unknown setting "a"',
    );
  });
});
