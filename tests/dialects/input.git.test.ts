import { AhpErrorCodes, type ChatState, JsonRpcErrorCodes, type SessionState } from '@moorage/protocol';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  messageIn,
  runTurn,
  Scenario,
  said,
  shown,
  startTurn,
  turnEnd,
  turnsOf,
  VERSIONS,
} from '../support/legacy/scenario.js';

let scenario: Scenario;
beforeEach(async () => {
  scenario = await Scenario.start();
});
afterEach(() => scenario.dispose());

const METHODS = [
  'subscribe',
  'createSession',
  'disposeSession',
  'restoreSession',
  'listDisposedSessions',
  'fetchTurns',
  'listSessions',
  'completions',
  'createTerminal',
  'resourceRead',
  'resourceList',
  'invokeChangesetOperation',
  'createChat',
  'reconnect',
  'initialize',
];
const MEMBERS = [
  'channel',
  'session',
  'resource',
  'terminal',
  'changeset',
  'fork',
  'model',
  'activeClient',
  'claim',
  'uri',
];
const TYPES = [
  'turnStarted',
  'pendingMessageSet',
  'toolCallConfirmed',
  'customizationToggled',
  'activeClientChanged',
  'activeClientSet',
  'activeClientRemoved',
  'modelChanged',
  'isDoneChanged',
  'truncated',
  'configChanged',
];
const PAYLOAD = [
  'userMessage',
  'message',
  'userSuggestion',
  'turnId',
  'uri',
  'id',
  'activeClient',
  'model',
  'clientId',
  'config',
];
const KNOWN_CODES = new Set<number>([...Object.values(AhpErrorCodes), ...Object.values(JsonRpcErrorCodes)]);

const garbage = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', 'demo:/x', 'ahp-session:/x', 'ahp-chat:/x', 'agenthost:/root', '__proto__'),
  fc.record({ attachments: fc.jsonValue({ maxDepth: 2 }), customizations: fc.jsonValue({ maxDepth: 2 }) }),
);
const some = (names: string[]) => fc.dictionary(fc.constantFrom(...names), garbage, { maxKeys: 4 });

describe.each(VERSIONS)('whatever a client of %s sends', (version) => {
  it('is answered with an error that the protocol has, or served; the host goes on', async () => {
    const client = await scenario.connect(version);
    client.asksForAnything = true;
    const place = await scenario.create(client);
    const watcher = await scenario.followToo(await scenario.connect(version), place);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), some(MEMBERS), async (method, params) => {
        const error = await client.peer.request(method, params).then(
          () => undefined,
          (reason: { code: number }) => reason,
        );
        if (error) expect([method, params, KNOWN_CODES.has(error.code)]).toEqual([method, params, true]);
        if (error) expect(error.code).not.toBe(-32603);
      }),
      { numRuns: 150 },
    );
    const prefixes = ['session', 'chat', 'terminal', 'root', 'changeset'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...prefixes),
        fc.constantFrom(...TYPES),
        some(PAYLOAD),
        fc.boolean(),
        async (prefix, name, payload, isBare) => {
          const action = { ...payload, type: `${prefix}/${name}` };
          const strange = { clientSeq: 1, action, ...(!client.isEarly && { channel: place.session }) };
          if (isBare) client.peer.notify('dispatchAction', strange);
          else client.dispatch(place.conversation, action);
        },
      ),
      { numRuns: 300 },
    );
    await client.sync();
    await watcher.client.sync();
    const fresh = await scenario.connect(version);
    const again = await scenario.followToo(fresh, place);
    expect(watcher.client.comparable(place.conversation)).toEqual(fresh.comparable(again.conversation));
    expect(scenario.host.errors).toEqual([]);
    // What a sender adds to an action that is right otherwise is passed on.
    const noted = [...watcher.client.violations.splice(0), ...client.violations.splice(0)];
    expect(noted.filter((problem) => !problem.startsWith('ActionEnvelope/'))).toEqual([]);
  });
});

describe.each(VERSIONS)('slips of real clients, in %s', (version) => {
  it('a turn while the session is being created is run', async () => {
    const client = await scenario.connect(version);
    const id = crypto.randomUUID();
    const place = await scenario.create(client, id);
    const turnId = await runTurn(place, '/say at once');
    expect(turnsOf(place).map((turn) => turn.id)).toEqual([turnId]);
  });

  it('requests about the connection without a channel', async () => {
    const client = await scenario.connect(version);
    await scenario.create(client);
    expect(await client.peer.request('ping')).toBeNull();
    const { items } = (await client.peer.request('listSessions', {})) as { items: object[] };
    expect(items).toHaveLength(1);
    expect(await client.peer.request('listSessions')).toEqual({ items });
  });

  it('an action that is sent twice counts once, and a refused one says what was sent', async () => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    const turnId = startTurn(place, '/wait 60000');
    const second = said(place, 'turnStarted', { turnId: 'second', ...messageIn(place, 'x'), extra: 1 });
    const echo = await client.act(place.conversation, second);
    expect(echo.rejectionReason).toContain('active');
    expect(echo.action).toMatchObject(second);
    await client.act(place.conversation, said(place, 'turnCancelled', { turnId }));
  });
});

it.each(VERSIONS)('%s sees the same of a chat whether it came during a turn or after it', async (version) => {
  const client = await scenario.connect(version);
  const place = await scenario.create(client);
  const turnId = startTurn(place, '/wait 60000');
  await shown(place, ({ activeTurn }) => activeTurn, 'the turn');
  const during = await scenario.connect(version);
  await scenario.followToo(during, place);
  await client.act(place.conversation, said(place, 'turnCancelled', { turnId }));
  await during.sync();
  const after = await scenario.connect(version);
  await scenario.followToo(after, place);
  expect(during.comparable(place.conversation)).toEqual(after.comparable(place.conversation));
});

describe('slips of clients that know chats', () => {
  it.each(['0.4.0', '0.5.0'] as const)('%s reads turns and cancels on the session', async (version) => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    const turnId = startTurn(place, '/wait 60000');
    const { session, conversation } = place;
    const onSession = await client.act(session, said(place, 'turnCancelled', { turnId }));
    expect(onSession.rejectionReason).toBeUndefined();
    await client.sync();
    const { turns } = (await client.request('fetchTurns', { channel: session })) as { turns: { id: string }[] };
    expect(turns.map((turn) => turn.id)).toEqual([turnId]);
    const stale = { type: 'session/turnStarted', turnId: 'x', message: { text: 'x', origin: { kind: 'user' } } };
    expect((await client.act(session, stale)).rejectionReason).toContain(conversation);
  });

  it.each(['0.4.0', '0.5.0'] as const)('%s starts a turn on the session, and sees it in the chat', async (version) => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    const beginning = {
      seq: client.lastSeq,
      folds: [...client.folds].map(([uri, fold]) => [uri, { ...fold }] as const),
    };
    const start = said(place, 'turnStarted', { turnId: 'turn', ...messageIn(place, '/say hi'), extra: true });
    const echo = await client.act(place.session, start);
    expect(echo).toMatchObject({ channel: place.conversation, action: start });
    await turnEnd(place, 'turn');
    const fresh = await scenario.connect(version);
    await scenario.followToo(fresh, place);
    const now = fresh.comparable(place.conversation);
    expect(client.comparable(place.conversation)).toEqual(now);
    await client.close();
    const again = await scenario.open(version, client);
    for (const [uri, fold] of beginning.folds) again.folds.set(uri, fold);
    expect(await again.reconnect([...again.folds.keys()], beginning.seq)).toMatchObject({ type: 'replay' });
    expect(again.comparable(place.conversation)).toEqual(now);
  });

  it('a session goes by the name that its client chose', async () => {
    const client = await scenario.connect('0.5.0', ['ahp-root://']);
    const channel = `demo:/${crypto.randomUUID()}`;
    await client.request('createSession', { channel, provider: 'demo' });
    const state = await client.attach(channel);
    expect(state).toMatchObject({ provider: 'demo', activeClients: [] });
    expect(await client.refused('subscribe', { channel: 'demo:/unknown' })).toMatchObject({ code: -32001 });
  });
});

describe('0.5.0', () => {
  it('has the model in the message, and the turn uses it', async () => {
    const client = await scenario.connect('0.5.0');
    const place = await scenario.create(client);
    const message = { text: '/say hi', origin: { kind: 'user' }, model: { id: 'script', config: { deep: true } } };
    const echo = await client.act(place.conversation, { type: 'chat/turnStarted', turnId: 't', message });
    expect(echo.rejectionReason).toBeUndefined();
    expect(echo.action).toMatchObject({ message });
    const native = await scenario.host.client();
    const chat = await native.subscribe<ChatState>(place.conversation);
    const said = chat.activeTurn?.message ?? chat.turns[0]?.message;
    expect(said).toMatchObject({ model: { id: 'script', config: { deep: true } } });
    const refused = await client.act(place.session, { type: 'session/modelChanged', model: { id: 'x' } });
    expect(refused.rejectionReason).toContain('unknown');
  });

  it('has drafts, which others see', async () => {
    const client = await scenario.connect('0.5.0');
    const place = await scenario.create(client);
    const draft = { text: 'not sent', origin: { kind: 'user' } };
    const echo = await client.act(place.conversation, { type: 'chat/draftChanged', draft });
    expect(echo.rejectionReason).toBeUndefined();
    const native = await scenario.host.client();
    expect((await native.subscribe<ChatState>(place.conversation)).draft).toEqual(draft);
  });

  it('lists sessions with times as texts, and without models', async () => {
    const client = await scenario.connect('0.5.0');
    const other = await scenario.connect('0.3.0');
    const { session } = await scenario.create(other, crypto.randomUUID(), { model: { id: 'script' } });
    const [item] = (await client.request('listSessions')).items as Record<string, unknown>[];
    expect(item).toMatchObject({ resource: session, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(item).not.toHaveProperty('model');
    const native = await scenario.host.client();
    const { defaultChat = '' } = await native.subscribe<SessionState>(session);
    expect((await native.subscribe<ChatState>(defaultChat)).draft).toMatchObject({ model: { id: 'script' } });
  });
});
