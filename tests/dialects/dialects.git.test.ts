import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import type { LegacyClient } from '../support/legacy/client.js';
import {
  activation,
  messageIn,
  openCalls,
  openRequest,
  type Place,
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
  scenario = await Scenario.start({ changesets: true });
});
afterEach(() => scenario.dispose());

/** A client of each version, all in one session that one of them made. */
async function everyVersion(creator: LegacyClient['version']): Promise<Place[]> {
  const clients = [];
  for (const version of VERSIONS) clients.push(await scenario.connect(version));
  const first = clients.find((client) => client.version === creator);
  if (!first) throw new Error('nobody creates the session');
  const made = await scenario.create(first);
  const places: Place[] = [];
  for (const client of clients) places.push(client === first ? made : await scenario.followToo(client, made));
  return places;
}

/** What a client has kept up with is what one of its version that comes now is shown. */
async function expectTruth(places: readonly Place[]): Promise<void> {
  for (const place of places) {
    const fresh = await scenario.connect(place.client.version);
    const both = async () => {
      const now = await scenario.followToo(fresh, place);
      await place.client.sync();
      const uris = [now.session, now.conversation];
      return { now: uris.map((uri) => fresh.comparable(uri)), kept: uris.map((uri) => place.client.comparable(uri)) };
    };
    const agree = async () => {
      const { now, kept } = await both();
      return isDeepStrictEqual(now, kept);
    };
    await expect.poll(agree, PATIENT).toBe(true);
  }
}

describe('clients of every version in one session', () => {
  it.each(VERSIONS)('all see the truth when %s creates it, and everybody has a turn', async (creator) => {
    const places = await everyVersion(creator);
    for (const [index, place] of places.entries()) {
      const { client, session } = place;
      const write = `/write file-${index}.txt some text\n/usage 10 20`;
      await runTurn(place, `/auto on\n/think hm\n/say from ${client.version}\n${write}`, `turn-${index}`);
      await client.act(session, { type: 'session/titleChanged', title: `Named by ${client.version}` });
    }
    await expectTruth(places);
    for (const place of places) {
      expect(turnsOf(place).map((turn) => turn.id)).toEqual(VERSIONS.map((_, index) => `turn-${index}`));
    }
  });

  it.each(VERSIONS)('everybody sees a call that waits, and %s decides', async (decider) => {
    const places = await everyVersion('0.4.0');
    const [first] = places;
    const judge = places.find(({ client }) => client.version === decider);
    if (!first || !judge) throw new Error('there is nobody');
    const turnId = startTurn(first, '/write a.txt one\n/write b.txt two');
    const decided = new Set<string | undefined>();
    for (const approved of [true, false]) {
      const isWaiting = (call: { status: string; toolCallId: string }) =>
        call.status === 'pending-confirmation' && !decided.has(call.toolCallId);
      const waiting = (state: object) => openCalls(state as never).find(isWaiting)?.toolCallId;
      const calls = await Promise.all(places.map((place) => shown(place, waiting, 'the call')));
      expect(new Set(calls).size).toBe(1);
      decided.add(calls[0]);
      const verdict = approved ? { approved, confirmed: 'user-action' } : { approved, reason: 'denied' };
      const echo = await judge.client.act(
        judge.conversation,
        said(judge, 'toolCallConfirmed', { turnId, toolCallId: calls[0], ...verdict }),
      );
      expect(echo.rejectionReason).toBeUndefined();
    }
    await Promise.all(places.map((place) => turnEnd(place, turnId)));
    await expectTruth(places);
  });

  it.each(VERSIONS)('everybody sees a question, and %s answers', async (answerer) => {
    const places = await everyVersion(1);
    const [first] = places;
    const writer = places.find(({ client }) => client.version === answerer);
    if (!first || !writer) throw new Error('there is nobody');
    const turnId = startTurn(first, '/ask which? | left | right\n/fail on purpose');
    type Request = { id: string; questions: { id: string; options: { id: string }[] }[] };
    const requests = await Promise.all(places.map((place) => shown(place, openRequest<Request>, 'the question')));
    const request = requests[0];
    const question = request?.questions[0];
    const value = { kind: 'selected', value: question?.options[1]?.id };
    const answers = { [question?.id ?? '']: { state: 'submitted', value } };
    const echo = await writer.client.act(
      writer.conversation,
      said(writer, 'inputCompleted', { requestId: request?.id, response: 'accept', answers }),
    );
    expect(echo.rejectionReason).toBeUndefined();
    await Promise.all(places.map((place) => turnEnd(place, turnId)));
    for (const place of places) expect(turnsOf(place).at(-1)).toMatchObject({ id: turnId, state: 'error' });
    await expectTruth(places);
  });

  it.each(VERSIONS)('%s queues, steers, cancels and cuts', async (version) => {
    const places = await everyVersion('0.2.0');
    const place = places.find(({ client }) => client.version === version);
    if (!place) throw new Error('there is nobody');
    const { client, conversation } = place;
    const accepted = async (name: string, payload: object) => {
      const echo = await client.act(conversation, said(place, name, { ...payload }));
      expect([name, echo.rejectionReason]).toEqual([name, undefined]);
    };
    const queued = { kind: 'queued', ...messageIn(place, '/say queued') };
    const turnId = startTurn(place, '/wait 60000');
    await shown(place, (state) => state.activeTurn as object | undefined, 'the turn');
    await accepted('pendingMessageSet', { id: 'q1', ...queued });
    await accepted('pendingMessageSet', { id: 'q2', ...queued });
    await accepted('queuedMessagesReordered', { order: ['q2', 'q1'] });
    await accepted('pendingMessageRemoved', { kind: 'queued', id: 'q1' });
    await expectTruth(places);
    await accepted('turnCancelled', { turnId });
    await Promise.all(places.map((each) => turnEnd(each, turnId)));
    const next = await runTurn(place, '/say two');
    await shown(place, (state) => ((state.turns as unknown[]).length >= 3 ? true : undefined), 'the queued turn');
    await accepted('truncated', { turnId });
    await accepted('pendingMessageSet', { kind: 'steering', id: 's1', ...messageIn(place, 'left') });
    await expectTruth(places);
    expect(turnsOf(place).map((turn) => turn.id)).toEqual([turnId]);
    expect(next).not.toBe(turnId);
  });

  it('everybody sees flags, settings and who is active', async () => {
    const places = await everyVersion('0.3.0');
    for (const { client, session } of places) {
      const { claim, release } = activation(client, [{ name: `tool_of_${client.dialect.name.replaceAll('.', '_')}` }]);
      for (const action of [
        { type: 'session/isReadChanged', isRead: true },
        { type: 'session/isArchivedChanged', isArchived: true },
        claim,
      ]) {
        expect((await client.act(session, action)).rejectionReason).toBeUndefined();
      }
      await expectTruth(places);
      // Saying it again changes nothing, and whoever does so still knows.
      expect((await client.act(session, claim)).rejectionReason).toBeUndefined();
      await expectTruth(places);
      const shownClient = places.map((place) => activeIn(place));
      expect(new Set(shownClient)).toEqual(new Set([client.clientId]));
      expect((await client.act(session, release)).rejectionReason).toBeUndefined();
      await client.act(session, { type: 'session/isArchivedChanged', isArchived: false });
    }
    await expectTruth(places);
  });
});

function activeIn({ client, session }: Place): string | undefined {
  const state = client.state(session) as {
    activeClient?: { clientId: string };
    activeClients?: { clientId: string }[];
  };
  return (state.activeClient ?? state.activeClients?.at(-1))?.clientId;
}
