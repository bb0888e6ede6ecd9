import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import {
  messageIn,
  runTurn,
  Scenario,
  said,
  sessionFor,
  shown,
  startTurn,
  turnEnd,
  turnsOf,
  WITHOUT_CHATS,
} from '../support/legacy/scenario.js';

let scenario: Scenario;
beforeEach(async () => {
  scenario = await Scenario.start();
});
afterEach(() => scenario.dispose());

type Wire = Record<string, unknown>;

/** The URI that the tool call of a sub-agent names. */
function subAgentIn(turn: { responseParts: Wire[] } | undefined): string {
  const contents = turn?.responseParts.flatMap(
    (part) => ((part.toolCall as Wire | undefined)?.content ?? []) as Wire[],
  );
  return String(contents?.find((content) => content.type === 'subagent')?.resource);
}

describe.each(WITHOUT_CHATS)('a client of %s', (version) => {
  it('sees a sub-agent as a session that is in no list', async () => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    await runTurn(place, '/spawn /say from below');
    const resource = subAgentIn(turnsOf(place)[0]);
    expect(resource).toMatch(/^ahp-chat:\//);
    const state = await client.attach(resource);
    expect(state).toMatchObject({
      summary: { resource, provider: 'demo' },
      lifecycle: 'ready',
      turns: [{ state: 'complete' }],
    });
    expect(JSON.stringify(state.turns)).toContain('from below');
    const listed = (await client.request('listSessions')).items as Wire[];
    expect(listed.map((item) => item.resource)).toEqual([place.session]);
    const below = { client, session: place.session, conversation: resource };
    const refused = await client.act(resource, said(below, 'turnStarted', { turnId: 'x', ...messageIn(below, 'hi') }));
    expect(refused.rejectionReason).toContain('read-only');
    const renamed = await client.act(resource, { type: 'session/titleChanged', title: 'x' });
    expect(renamed.rejectionReason).toEqual(expect.any(String));
    const name = client.isEarly ? 'session' : 'channel';
    const turns = await client.request('fetchTurns', { [name]: resource });
    expect(turns.turns).toHaveLength(1);
    expect(await client.refused('disposeSession', { [name]: resource })).toMatchObject({ code: -32602 });
  });

  it('follows a sub-agent while it works', async () => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    const turnId = startTurn(place, '/spawn /say one\n/wait 60000');
    const resource = await shown(
      place,
      (state) => {
        const uri = subAgentIn(state.activeTurn as never);
        return uri.startsWith('ahp-chat:') ? uri : undefined;
      },
      'the sub-agent',
    );
    await client.attach(resource);
    const below = { client, session: place.session, conversation: resource };
    await client.act(place.conversation, said(place, 'turnCancelled', { turnId }));
    await turnEnd(place, turnId);
    await shown(below, (state) => ((state.turns as Wire[]).length > 0 ? true : undefined), 'the end below');
    const fresh = await scenario.connect(version);
    await fresh.attach(resource);
    expect(client.comparable(resource)).toEqual(fresh.comparable(resource));
  });

  it('sees only the first chat, and keeps it when another becomes the default', async () => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    await runTurn(place, '/say first', 'first');
    const native = await scenario.connect('0.4.0');
    const elsewhere = await scenario.followToo(native, place);
    const chat = 'ahp-chat:/second';
    await native.request('createChat', { channel: elsewhere.session, chat });
    await native.attach(chat);
    await native.act(elsewhere.session, { type: 'session/defaultChatChanged', defaultChat: chat });
    await runTurn({ ...elsewhere, conversation: chat }, '/say second', 'second');
    await runTurn(place, '/say third', 'third');
    expect(turnsOf(place).map((turn) => turn.id)).toEqual(['first', 'third']);
    expect(
      await client.refused(
        'subscribe',
        client.isEarly ? { resource: elsewhere.conversation } : { channel: elsewhere.conversation },
      ),
    ).toMatchObject({
      code: client.isEarly ? -32001 : -32008,
    });
    const fresh = await scenario.connect(version);
    await scenario.followToo(fresh, place);
    expect(client.comparable(place.session)).toEqual(fresh.comparable(place.session));
    const page = await client.request('fetchTurns', { [client.isEarly ? 'session' : 'channel']: place.session });
    expect((page.turns as Wire[]).map((turn) => turn.id)).toEqual(['first', 'third']);
  });

  it('must come back when the chat that it sees is removed, and sees the next one', async () => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    await runTurn(place, '/say first', 'first');
    const native = await scenario.connect('0.4.0');
    const elsewhere = await scenario.followToo(native, place);
    const chat = 'ahp-chat:/next';
    await native.request('createChat', { channel: elsewhere.session, chat });
    await native.attach(chat);
    await runTurn({ ...elsewhere, conversation: chat }, '/say second', 'second');
    await native.request('disposeChat', { channel: elsewhere.conversation });
    expect((await client.closed).code).toBe(1013);
    const next = await scenario.open(version, client);
    const result = await next.reconnect([place.session], client.lastSeq);
    expect(result.type).toBe('snapshot');
    expect(turnsOf({ ...place, client: next }).map((turn) => turn.id)).toEqual(['second']);
  });

  it('gets a new chat for a turn in a session that has none', async () => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    const native = await scenario.connect('0.4.0');
    const elsewhere = await scenario.followToo(native, place);
    await native.request('disposeChat', { channel: elsewhere.conversation });
    await client.closed;
    const later = await scenario.connect(version);
    const again = await scenario.followToo(later, place);
    expect(turnsOf(again)).toEqual([]);
    await runTurn(again, '/say again', 'again');
    expect(turnsOf(again).map((turn) => turn.id)).toEqual(['again']);
    const fresh = await scenario.connect(version);
    await scenario.followToo(fresh, place);
    expect(later.comparable(place.session)).toEqual(fresh.comparable(place.session));
  });

  it('is not disturbed when a session that it follows ends', async () => {
    const client = await scenario.connect(version);
    const place = await scenario.create(client);
    startTurn(place, '/wait 60000');
    const native = await scenario.connect('0.4.0');
    await native.request('disposeSession', { channel: sessionFor(native, place.session.split(':/')[1] ?? '') });
    const name = client.isEarly ? 'resource' : 'channel';
    await expect
      .poll(() => client.refused('subscribe', { [name]: place.session }).then((error) => error.code), PATIENT)
      .toBe(-32001);
    await client.sync();
  });
});
