import { ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, reasonFor, startTurn, turn, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

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

const summary = () => client.subscribe<SessionState>(session);

describe('a change of the summary', () => {
  it('of the title tells the list what changed and nothing else (B-90, B-112, OQ-44)', async () => {
    expect(await changesBy({ type: 'session/titleChanged', title: 'Mine' })).toEqual([{ title: 'Mine' }]);
    expect(await changesBy({ type: 'session/titleChanged', title: 'Mine' })).toEqual([]);
    expect(await summary()).toMatchObject({ title: 'Mine' });
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

describe('the model and agent of a message', () => {
  const model = { id: 'script', config: { effort: 'high', budget: 3, quick: true } };
  const custom = { uri: 'file:///agent.md' };
  const drafted = (more: object) => ({ type: 'chat/draftChanged', draft: { ...userMessage('not sent'), ...more } });

  it('are those that it names, else those of the draft, else those of the message before (B-113)', async () => {
    agent.openAll();
    await turn(client, chat, 'plain');
    expect(agent.turns.at(-1)).toMatchObject({ model: undefined, agent: undefined });
    await accepted(client, chat, drafted({ model, agent: custom }));
    await turn(client, chat, 'drafted');
    expect(agent.turns.at(-1)).toMatchObject({ model, agent: custom });
    await accepted(client, chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'own',
      message: { ...userMessage('own'), model: { id: 'other' } },
    });
    await turnEnd(client, chat, 'own');
    expect(agent.turns.at(-1)).toMatchObject({ model: { id: 'other' }, agent: undefined });
    await accepted(client, chat, { type: 'chat/draftChanged' });
    await turn(client, chat, 'as before');
    expect(agent.turns.at(-1)).toMatchObject({ model: { id: 'other' } });
  });

  it('of a draft are for the next turn, also while one runs (OQ-37)', async () => {
    const first = startTurn(client, chat, 'one');
    await client.action(chat, 'chat/turnStarted');
    await accepted(client, chat, drafted({ model }));
    agent.open();
    await turnEnd(client, chat, first);
    agent.openAll();
    await turn(client, chat, 'two');
    expect(agent.turns.map((each) => each.model)).toEqual([undefined, model]);
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
    const toggle = {
      type: 'session/customizationToggled',
      id: 'nobody',
      enablement: [{ kind: 'session', enabled: true }],
    };
    expect(await reasonFor(client, session, toggle)).toContain('nobody');
    const config = { type: 'session/configChanged', config: { unheard: 1 } };
    expect(await reasonFor(client, session, config)).toContain('unknown setting "unheard"');
  });
});
