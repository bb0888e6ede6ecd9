import { type ActionEnvelope, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, reasonFor, startTurn, turn } from './support/actions.js';
import { ManualClock } from './support/manual-clock.js';
import { GatedAgent } from './support/test-agent.js';
import { TestHost, userMessage } from './support/test-host.js';
import type { WireClient } from './support/wire-client.js';

let agent: GatedAgent;
let clock: ManualClock;
let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
beforeEach(async () => {
  agent = new GatedAgent();
  clock = new ManualClock();
  host = await TestHost.start({ clock, agents: [agent] });
  client = await host.client({ subscriptions: [ROOT_URI] });
  ({ session, chat } = await host.session(client, { provider: 'test' }));
});
afterEach(() => host.dispose());

/** Dispatches and gives what root subscribers are told of it. */
async function changesBy(action: object) {
  await client.sync();
  const heard = client.notifications.length;
  clock.advance(1000);
  await accepted(client, session, action);
  await client.sync();
  return client.notifications.slice(heard).map(({ method, params }) => {
    expect({ method, params }).toMatchObject({ method: 'root/sessionSummaryChanged', params: { session } });
    return (params as { changes: object }).changes;
  });
}

const summary = async () => (await client.subscribe<SessionState>(session)).summary;

describe('a change of the summary', () => {
  it('of the title tells the list what changed and nothing else (B-90, B-112, OQ-44)', async () => {
    const changes = await changesBy({ type: 'session/titleChanged', title: 'Mine' });
    expect(changes).toEqual([{ title: 'Mine', modifiedAt: clock.now() }]);
    expect(await changesBy({ type: 'session/titleChanged', title: 'Mine' })).toEqual([{ modifiedAt: clock.now() }]);
    expect(await summary()).toMatchObject({ title: 'Mine', modifiedAt: clock.now() });
  });

  it('of model and agent is for the turns that follow (B-113)', async () => {
    const model = { id: 'script', config: { effort: 'high' } };
    expect(await changesBy({ type: 'session/modelChanged', model })).toEqual([{ model, modifiedAt: clock.now() }]);
    const custom = { uri: 'file:///agent.md' };
    expect(await changesBy({ type: 'session/agentChanged', agent: custom })).toEqual([
      { agent: custom, modifiedAt: clock.now() },
    ]);
    agent.openAll();
    await turn(client, chat, 'go');
    expect(agent.turns.at(-1)).toMatchObject({ model, agent: custom });
    expect(await changesBy({ type: 'session/agentChanged' })).toEqual([{ agent: null, modifiedAt: clock.now() }]);
    expect((await summary()).agent).toBeUndefined();
  });

  it('of the flags changes the status alone (B-114, B-115, B-122)', async () => {
    expect(await changesBy({ type: 'session/isReadChanged', isRead: true })).toEqual([{ status: 33 }]);
    expect(await changesBy({ type: 'session/isArchivedChanged', isArchived: true })).toEqual([{ status: 97 }]);
    expect(await changesBy({ type: 'session/isArchivedChanged', isArchived: true })).toEqual([]);
    expect(await changesBy({ type: 'session/isReadChanged', isRead: false })).toEqual([{ status: 65 }]);
    expect(await changesBy({ type: 'session/isArchivedChanged', isArchived: false })).toEqual([{ status: 1 }]);
  });
});

describe('the read flag', () => {
  const cleared = async (count: number) => {
    const actions = client
      .actionsOn(session)
      .filter((action) => action.type === 'session/isReadChanged' && !action.isRead);
    expect(actions).toHaveLength(count);
    expect((await summary()).status & 32).toBe(0);
  };

  it('is dropped by the host when a turn starts or asks something (B-114, OQ-35)', async () => {
    await accepted(client, session, { type: 'session/isReadChanged', isRead: true });
    agent.next = async ({ ask }) => {
      await ask({ id: 'r', message: 'Well?' });
      return undefined;
    };
    startTurn(client, chat, 'go');
    await client.action(chat, 'chat/inputRequested');
    await cleared(1);
    await client.notification('root/sessionSummaryChanged', ({ changes }) => changes.status === 24);
    await accepted(client, chat, { type: 'chat/inputCompleted', requestId: 'r', response: 'cancel' });
    await client.action(chat, 'chat/turnComplete');
    await cleared(1); // it was not set any more

    agent.next = async ({ ask }) => {
      await agent.gate();
      await ask({ id: 'r2', message: 'Again?' });
      return undefined;
    };
    startTurn(client, chat, 'go on');
    await client.action(chat, 'chat/turnStarted', 2);
    await accepted(client, session, { type: 'session/isReadChanged', isRead: true });
    agent.openAll();
    await client.action(chat, 'chat/inputRequested', 2);
    await cleared(2);
  });
});

describe('a change of model or agent while a turn runs', () => {
  const model = (id: string) => ({ type: 'session/modelChanged', model: { id } });
  const held = (envelopes: readonly ActionEnvelope[]) =>
    envelopes.filter((envelope) => /modelChanged|agentChanged/.test(envelope.action.type));

  it('is refused when too many wait already', async () => {
    startTurn(client, chat, 'one');
    await client.action(chat, 'chat/turnStarted');
    for (let count = 0; count < 100; count++) client.dispatch(session, model(`m${count}`));
    expect(await reasonFor(client, session, model('one more'))).toContain('too many changes wait');
    agent.open();
    await client.action(session, 'session/modelChanged', 101); // 100 are made, one was refused
    await accepted(client, session, model('now'));
  });

  it('waits for its end, and comes in order before the next turn, with its origin (OQ-37)', async () => {
    const bob = await host.client({ subscriptions: [session] });
    startTurn(client, chat, 'one');
    await client.action(chat, 'chat/turnStarted');
    client.dispatch(session, model('a'));
    client.dispatch(session, { type: 'session/agentChanged', agent: { uri: 'file:///a.md' } });
    await client.sync();
    bob.dispatch(session, model('b'));
    await bob.close(); // it counts all the same
    expect(await reasonFor(client, session, { type: 'session/modelChanged' })).toContain('/model');
    await accepted(client, chat, {
      type: 'chat/pendingMessageSet',
      kind: 'queued',
      id: 'q',
      message: userMessage('two'),
    });
    await client.sync();
    expect(held(client.envelopes.filter((envelope) => !envelope.rejectionReason))).toEqual([]);
    const heard = client.envelopes.length;
    agent.open();
    await client.action(chat, 'chat/turnStarted', 2);
    const after = client.envelopes
      .slice(heard)
      .filter((envelope) => !/chatUpdated|activity/.test(envelope.action.type));
    expect(after.map((envelope) => envelope.action.type)).toEqual([
      'chat/turnComplete',
      'session/modelChanged',
      'session/agentChanged',
      'session/modelChanged',
      'chat/pendingMessageRemoved',
      'chat/turnStarted',
    ]);
    const origins = [client, client, bob].map(({ clientId }) => ({ clientId, clientSeq: expect.any(Number) }));
    expect(held(after).map((envelope) => envelope.origin)).toEqual(origins);
    await expect.poll(() => agent.turns).toHaveLength(2);
    expect(agent.turns[1]).toMatchObject({ model: { id: 'b' }, agent: { uri: 'file:///a.md' } });
  });

  it('waits for the last of several turns', async () => {
    const second = host.newChatUri();
    await client.request('createChat', { channel: session, chat: second });
    await client.subscribe(second);
    const turns = [startTurn(client, chat, 'one'), startTurn(client, second, 'two')];
    client.dispatch(session, model('a'));
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId: turns[0] });
    await client.sync();
    expect(held(client.envelopes)).toEqual([]);
    await accepted(client, second, { type: 'chat/turnCancelled', duration: 0, turnId: turns[1] });
    await client.action(session, 'session/modelChanged');
  });

  it('is not overtaken by one that comes just when the turn has ended', async () => {
    const turnId = startTurn(client, chat, 'one');
    await client.action(chat, 'chat/turnStarted');
    client.dispatch(session, model('a'));
    client.dispatch(chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    client.dispatch(session, model('b'));
    await client.action(session, 'session/modelChanged', 2);
    const models = held(client.envelopes).map(({ action }) => (action as { model?: { id: string } }).model?.id);
    expect(models).toEqual(['a', 'b']);
    expect((await summary()).model).toEqual({ id: 'b' });
  });
});

describe('other actions on a session', () => {
  it('defaultChatChanged needs a chat of the session (D-6)', async () => {
    const second = host.newChatUri();
    await client.request('createChat', { channel: session, chat: second });
    const echo = await accepted(client, session, { type: 'session/defaultChatChanged', defaultChat: second });
    expect(echo.origin?.clientId).toBe(client.clientId);
    expect((await client.subscribe<SessionState>(session)).defaultChat).toBe(second);
    for (const defaultChat of [host.newChatUri(), session, undefined]) {
      expect(await reasonFor(client, session, { type: 'session/defaultChatChanged', defaultChat })).toContain(
        'not in the session',
      );
    }
  });

  it('toggling a customization or a setting that is not there is rejected (B-228, OQ-39, OQ-71)', async () => {
    const toggle = { type: 'session/customizationToggled', id: 'nobody', enabled: true };
    expect(await reasonFor(client, session, toggle)).toContain('nobody');
    const config = { type: 'session/configChanged', config: { unheard: 1 } };
    expect(await reasonFor(client, session, config)).toContain('unknown setting "unheard"');
  });
});
