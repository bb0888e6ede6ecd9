import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FilePeople, filePeople, nodeClock } from '@moorage/host';
import {
  AUTOMATIONS_URI,
  type AutomationRunState,
  type AutomationState,
  type ChatState,
  ROOT_URI,
  type SessionState,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, approval, callsOf, reasonFor, shownIn, textOf, turn } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import {
  created,
  definition,
  HOUR,
  MINUTE,
  ofAutomations,
  onSessions,
  schedule,
  shown,
  statuses,
  when,
} from './rig.js';

let clock: ManualClock;
let people: FilePeople;
let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  clock = new ManualClock(); // 2030-01-01T00:00:00Z, a Tuesday
  people = filePeople({ file: join(tmpdir(), `moorage-people-${crypto.randomUUID()}.json`), clock: nodeClock });
  host = await TestHost.start({ clock, people });
  client = await host.client();
});
afterEach(async () => {
  people.close();
  await host.dispose();
});

const ended = (automation: string, count: number) =>
  when(
    client,
    automation,
    (entry) => entry.runs.length === count && !statuses(entry).some((it) => /ing$/.test(it)) && entry,
  );
const runOf = async (automation: string, requestId: string = crypto.randomUUID()) =>
  (await client.request('runAutomation', { ...ofAutomations, automation, requestId })).resource;
const update = (resource: string, changes: object) =>
  client.act(AUTOMATIONS_URI, { type: 'automation/updateRequested', resource, changes });

describe('a schedule', () => {
  it('starts a session with nobody there, which says what it is of, and shows the run', async () => {
    const automation = await created(client, { triggers: [schedule('0 9 * * 1-5', undefined, 'Europe/Berlin')] });
    expect(await shown(client, automation)).toMatchObject({ nextRunAt: '2030-01-01T08:00:00.000Z', runCount: 0 });
    await host.leave(client);
    clock.advance(8 * HOUR - 1);
    clock.advance(1);
    client = await host.client();
    const { runs, nextRunAt, runCount } = await ended(automation, 1);
    expect({ nextRunAt, runCount }).toEqual({ nextRunAt: '2030-01-02T08:00:00.000Z', runCount: 1 });
    const [run] = runs;
    expect(run).toMatchObject({
      lifecycle: { status: 'completed', createdAt: '2030-01-01T08:00:00.000Z' },
      origin: { kind: 'trigger', scheduledFor: '2030-01-01T08:00:00.000Z' },
      sessionCount: 1,
    });
    const origin = { kind: 'automation', automation, run: run?.resource };
    const session = await client.subscribe<SessionState>(run?.primarySession ?? '');
    expect(session).toMatchObject({ title: 'Say hi', origin });
    const chat = await client.subscribe<ChatState>(session.defaultChat ?? '');
    expect(textOf(chat.turns[0])).toBe('hi');
    expect(chat.turns[0]?.message.origin).toEqual({ kind: 'automation' });
    const { items } = await client.request('listSessions', { channel: ROOT_URI });
    expect(items).toEqual([expect.objectContaining({ origin })]);
    const state = await client.subscribe<AutomationRunState>(run?.resource ?? '');
    expect(state).toMatchObject({ automation, sessions: [run?.primarySession], primarySession: run?.primarySession });
  });

  it('begins anew from now on when it changes or is switched on again', async () => {
    const automation = await created(client, { triggers: [schedule('0 * * * *')], enabled: false });
    expect(await shown(client, automation)).not.toHaveProperty('nextRunAt');
    clock.advance(3 * HOUR);
    await update(automation, { enabled: true });
    expect(await shown(client, automation)).toMatchObject({ nextRunAt: '2030-01-01T04:00:00.000Z', runs: [] });
    await update(automation, { title: 'Other' });
    expect(await shown(client, automation)).toMatchObject({ nextRunAt: '2030-01-01T04:00:00.000Z' });
    await update(automation, { triggers: [schedule('30 * * * *')] });
    expect(await shown(client, automation)).toMatchObject({ nextRunAt: '2030-01-01T03:30:00.000Z' });
  });

  it.each([
    ['runOnce', 1],
    ['skip', 0],
  ] as const)('whose runs were missed while the host slept: %s', async (policy, runs) => {
    const automation = await created(client, { triggers: [schedule('0 * * * *', policy)] });
    clock.jump(5 * HOUR + MINUTE); // five are missed
    clock.advance(MINUTE);
    const entry = await when(client, automation, (it) => it.nextRunAt === '2030-01-01T06:00:00.000Z' && it);
    expect(entry.runs).toHaveLength(runs);
    if (runs > 0) expect((await ended(automation, 1)).runs[0]?.origin).toMatchObject({ catchUp: true });
  });
});

describe('an automation', () => {
  it('is run by whoever asks, once for each request, and its older runs come in pages', async () => {
    const automation = await created(client);
    const run = await runOf(automation, 'one');
    expect(await runOf(automation, 'one')).toBe(run);
    await ended(automation, 1);
    for (let count = 2; count <= 12; count++) {
      await runOf(automation);
      await when(
        client,
        automation,
        (entry) => entry.runCount === count && statuses(entry).every((it) => it === 'completed'),
      );
    }
    const { runs, runsNextCursor: cursor } = await shown(client, automation);
    expect(runs).toHaveLength(10);
    await client.request('fetchAutomationRuns', {
      ...ofAutomations,
      automation,
      ...(cursor !== undefined && { cursor }),
    });
    const { action } = client.envelopes.at(-1) ?? {};
    if (action?.type !== 'automation/set') throw new Error('expected the older runs');
    expect(action.automation.runs.map(({ resource }) => resource)).toHaveLength(12);
    expect(action.automation.runs.at(-1)?.resource).toBe(run);
    expect(action.automation).not.toHaveProperty('runsNextCursor');
    expect(await client.refused('fetchAutomationRuns', { ...ofAutomations, automation, cursor: 'x' })).toMatchObject({
      message: 'params/cursor: expected the "runsNextCursor" of this automation',
    });
  });

  it('disables itself after its last run, or at its time, and says why; then it cannot be enabled as it is', async () => {
    const twice = await created(client, {
      triggers: [schedule('0 * * * *')],
      disableConditions: [{ kind: 'afterRuns', max: 2 }],
    });
    const until = await created(client, {
      triggers: [schedule('0 0 * * *')],
      disableConditions: [{ kind: 'afterDate', date: '2030-01-01T02:30:00Z' }],
    });
    clock.advance(HOUR);
    await ended(twice, 1);
    clock.advance(HOUR);
    const entry = await ended(twice, 2);
    expect(entry.definition.enabled).toBe(false);
    expect(entry._meta).toEqual({ 'moorage.disabledBecause': 'It has had the 2 runs that it was to have.' });
    expect((await update(twice, { enabled: true })).rejectionReason).toBe('It has had the 2 runs that it was to have.');
    clock.advance(HOUR);
    const over = await when(client, until, (it) => !it.definition.enabled && it);
    expect(over).toMatchObject({
      runs: [],
      _meta: { 'moorage.disabledBecause': expect.stringContaining('2030-01-01T02:30') },
    });
    await update(until, { enabled: true, disableConditions: [] });
    expect((await shown(client, until))._meta).toBeUndefined();
    expect(host.logged.filter((line) => line.startsWith('automation.disabled'))).toHaveLength(2);
  });

  it('is cancelled with the turn of its session, also while somebody is needed', async () => {
    const automation = await created(client, {
      message: userMessage('/write a.txt hi'),
      session: { provider: 'demo', workingDirectories: [host.workspaceUri] },
    });
    const run = await runOf(automation);
    const session = await when(client, automation, ({ runs }) => runs[0]?.primarySession);
    const { defaultChat: chat = '' } = await client.subscribe<SessionState>(session);
    await shownIn(client, chat, ({ activeTurn }) =>
      callsOf(activeTurn?.responseParts).find(({ status }) => status === 'pending-confirmation'),
    );
    expect(statuses(await shown(client, automation))).toEqual(['running']);
    await client.subscribe(run);
    await accepted(client, run, { type: 'automationRun/cancelRequested' });
    expect(statuses(await ended(automation, 1))).toEqual(['cancelled']);
    expect((await client.subscribe<ChatState>(chat)).turns[0]?.state).toBe('cancelled');
    expect(await reasonFor(client, run, { type: 'automationRun/cancelRequested' })).toBe('the run is over');
  });

  it('waits for an approval like any session, and goes on with it', async () => {
    const automation = await created(client, {
      message: userMessage('/write a.txt hi'),
      session: { provider: 'demo', workingDirectories: [host.workspaceUri] },
    });
    await runOf(automation);
    const session = await when(client, automation, ({ runs }) => runs[0]?.primarySession);
    const { defaultChat: chat = '' } = await client.subscribe<SessionState>(session);
    const [turnId, call] = await shownIn(client, chat, ({ activeTurn }) => {
      const waiting = callsOf(activeTurn?.responseParts).find(({ status }) => status === 'pending-confirmation');
      return activeTurn && waiting && ([activeTurn.id, waiting.toolCallId] as const);
    });
    await accepted(client, chat, approval(turnId, call));
    expect(statuses(await ended(automation, 1))).toEqual(['completed']);
  });

  it('fails with its session or its turn, and says why', async () => {
    const broken = await created(client, { message: userMessage('/fail no luck') });
    await runOf(broken);
    expect((await ended(broken, 1)).runs[0]?.lifecycle).toMatchObject({ error: { message: 'no luck' } });
    const homeless = await created(client, { session: { provider: 'demo', config: { sandbox: { mode: 'on' } } } });
    await runOf(homeless);
    expect((await ended(homeless, 1)).runs[0]).toMatchObject({
      lifecycle: { status: 'failed', error: { errorType: 'sessionNotCreated' } },
      sessionCount: 0,
    });
  });

  it('has few runs under way at once: what more is wanted is refused, and shown', async () => {
    const automation = await created(client, {
      message: userMessage('/ask Which? | a | b'),
      triggers: [schedule('0 * * * *')],
    });
    for (let count = 1; count <= 4; count++) await runOf(automation);
    await when(client, automation, (entry) => statuses(entry).filter((it) => it === 'running').length === 4);
    expect(await client.refused('runAutomation', { ...ofAutomations, automation, requestId: 'more' })).toMatchObject({
      message: expect.stringContaining('4 runs of this automation are under way'),
    });
    clock.advance(HOUR);
    const { runs, runCount } = await when(client, automation, (entry) => entry.runs.length === 5 && entry);
    expect(runs[0]?.lifecycle).toMatchObject({ status: 'failed', error: { errorType: 'tooManyRuns' } });
    expect(runCount).toBe(4);
  });

  it('is gone when it is removed, with its history; what runs ends first', async () => {
    const automation = await created(client, { message: userMessage('/ask Which? | a | b') });
    const first = await runOf(automation);
    await when(client, automation, (entry) => statuses(entry)[0] === 'running');
    await client.subscribe(first);
    await accepted(client, AUTOMATIONS_URI, { type: 'automation/removed', resource: automation });
    expect((await client.subscribe<AutomationState>(AUTOMATIONS_URI)).entries).toEqual([]);
    await accepted(client, first, { type: 'automationRun/cancelRequested' });
    await client.sync();
    expect(await client.refused('subscribe', { channel: first })).toBeDefined();
    expect(await reasonFor(client, AUTOMATIONS_URI, { type: 'automation/removed', resource: automation })).toContain(
      'no automation',
    );
  });

  it('keeps a hundred runs', async () => {
    const automation = await created(client, {
      session: { provider: 'demo', config: {} },
      message: userMessage('/ask x | y'),
    });
    for (let count = 1; count <= 4; count++) await runOf(automation);
    await when(client, automation, (entry) => statuses(entry).filter((it) => it === 'running').length === 4);
    await update(automation, { triggers: [schedule('* * * * *')] });
    clock.advance(110 * MINUTE); // each is refused, and is in the history
    let { runsNextCursor: cursor } = await shown(client, automation);
    let kept = 0;
    while (cursor !== undefined) {
      await client.request('fetchAutomationRuns', { ...ofAutomations, automation, cursor });
      const { action } = client.envelopes.at(-1) ?? {};
      if (action?.type !== 'automation/set') throw new Error('expected older runs');
      cursor = action.automation.runsNextCursor;
      kept = action.automation.runs.length;
    }
    expect(kept).toBe(104); // and those that are not over
  });
});

describe('events', () => {
  it('are those that the host can see; others are refused', async () => {
    const { items } = await client.request('listAutomationTriggerDefinitions', { channel: ROOT_URI });
    expect(items.map(({ type, events }) => [type, events.map(({ id }) => id)])).toEqual([
      ['moorage.session', ['turnEnded', 'turnFailed', 'inputNeeded']],
    ]);
    const { entries } = await client.subscribe<AutomationState>(AUTOMATIONS_URI);
    expect(entries).toEqual([]);
  });

  it.each([
    ['turnEnded', '/say done'],
    ['turnFailed', '/fail no'],
    ['inputNeeded', '/ask Which? | a | b'],
  ])('%s starts a run, once for each, and never for a session of an automation', async (event, text) => {
    const automation = await created(client, { message: userMessage(text), triggers: [onSessions(event)] });
    const { session, chat } = await host.session(client);
    if (event === 'inputNeeded') client.dispatch(chat, turnAction(text));
    else await turn(client, chat, text);
    const { runs, runCount } = await when(
      client,
      automation,
      (entry) => entry.runs[0]?.primarySession !== undefined && entry,
    );
    expect(runs[0]?.origin).toMatchObject({ kind: 'trigger', event: { id: event, session, chat } });
    const { defaultChat = '' } = await client.subscribe<SessionState>(runs[0]?.primarySession ?? '');
    const { message } = await shownIn(client, defaultChat, ({ turns, activeTurn }) => turns[0] ?? activeTurn);
    expect(message.text).toBe(`${text}\n\n(This run was started by the event "${event}" in the session ${session}.)`);
    if (event !== 'inputNeeded') await ended(automation, 1);
    expect((await shown(client, automation)).runCount).toBe(runCount);
  });

  it('count only where the trigger says so', async () => {
    const there = { ...onSessions('turnEnded'), config: { workingDirectory: `${host.workspaceUri}/elsewhere` } };
    const automation = await created(client, { triggers: [there] });
    const { chat } = await host.session(client);
    await turn(client, chat, '/say done');
    expect((await shown(client, automation)).runs).toEqual([]);
    await update(automation, { triggers: [{ ...there, config: { workingDirectory: host.workspaceUri } }] });
    await turn(client, chat, '/say done');
    await ended(automation, 1);
  });
});

describe('what is refused, and changes nothing', () => {
  const long = 'x'.repeat(70_000);
  it.each([
    ['no title', { title: ' ' }, 'needs a title'],
    ['no message', { message: userMessage('') }, 'needs a message'],
    ['too much', { message: userMessage(long) }, '65536 characters'],
    ['an unknown agent', { session: { provider: 'nobody' } }, 'nobody'],
    [
      'a folder that it may not use',
      { session: { provider: 'demo', workingDirectories: ['file:///etc'] } },
      'outside the folders',
    ],
    ['a plugin', { session: { customizations: [{ type: 'plugin', id: 'p', uri: 'x:y', name: 'p' }] } }, 'no plugins'],
    ['no schedule', { triggers: [schedule('whenever')] }, 'is no schedule'],
    ['an unknown event', { triggers: [onSessions('fullMoon')] }, 'there is no event "fullMoon"'],
    ['an unknown type', { triggers: [{ ...onSessions('x'), type: 'git' }] }, 'no events of the type "git"'],
    ['two triggers with one id', { triggers: [schedule('0 9 * * *'), schedule('0 9 * * *')] }, 'the same id'],
    ['no runs at all', { disableConditions: [{ kind: 'afterRuns', max: 0 }] }, 'at least one run'],
    ['a date that is none', { disableConditions: [{ kind: 'afterDate', date: 'soon' }] }, '"soon" is no date'],
    ['a date that is over', { disableConditions: [{ kind: 'afterDate', date: '2020-01-01' }] }, 'was to end'],
  ])('%s', async (_what, over, reason) => {
    const automation = await created(client);
    const before = await client.subscribe<AutomationState>(AUTOMATIONS_URI);
    const made = {
      type: 'automation/createRequested',
      resource: 'ahp-automation:/new',
      definition: { ...definition(), ...over },
    };
    expect(await reasonFor(client, AUTOMATIONS_URI, made)).toContain(reason);
    expect((await update(automation, over)).rejectionReason).toContain(reason);
    expect(await client.subscribe<AutomationState>(AUTOMATIONS_URI)).toEqual(before);
  });

  it.each(['', 'no uri', `ahp-automation:/${'x'.repeat(600)}`])('the URI %j', async (resource) => {
    await client.subscribe(AUTOMATIONS_URI);
    const action = { type: 'automation/createRequested', resource, definition: definition() };
    expect(await reasonFor(client, AUTOMATIONS_URI, action)).toContain('URI');
  });

  it('what the host alone says, and what is there already', async () => {
    const automation = await created(client);
    const entry = await shown(client, automation);
    expect(await reasonFor(client, AUTOMATIONS_URI, { type: 'automation/set', automation: entry })).toContain(
      'only by the host',
    );
    const again = { type: 'automation/createRequested', resource: automation, definition: definition() };
    expect(await reasonFor(client, AUTOMATIONS_URI, again)).toContain('already');
    expect((await update('ahp-automation:/none', { enabled: false })).rejectionReason).toContain('no automation');
  });
});

describe('the rights of a run', () => {
  const invited = async (name: string) => {
    const { secret } = await client.request('moorage/invitePerson', { channel: ROOT_URI, name, role: 'steer' });
    return host.client({ token: people.redeem(secret) ?? '' });
  };

  it('are those of who said last what it does: when they end, it is disabled and says so', async () => {
    const ada = await invited('ada');
    const automation = await created(ada, { triggers: [schedule('0 * * * *')] });
    expect(await shown(client, automation)).toMatchObject({ _meta: { 'moorage.person': 'ada' } });
    await update(automation, { enabled: false });
    await update(automation, { enabled: true });
    expect(await shown(client, automation)).toMatchObject({ _meta: { 'moorage.person': 'ada' } });
    await client.request('moorage/revokePerson', { channel: ROOT_URI, name: 'ada' });
    const { definition: now, _meta } = await shown(client, automation);
    expect(now.enabled).toBe(false);
    expect(_meta?.['moorage.disabledBecause']).toContain('may not begin sessions any more');
    expect(await client.refused('runAutomation', { ...ofAutomations, automation, requestId: '1' })).toMatchObject({
      message: expect.stringContaining('this access has ended'),
    });
    await update(automation, { enabled: true, message: userMessage('/say mine now') });
    clock.advance(HOUR);
    const { runs, _meta: mine } = await ended(automation, 1);
    expect([runs[0]?.lifecycle.status, mine]).toEqual(['completed', undefined]);
  });
});

describe('a client of', () => {
  it.each([
    ['0.9.0', true],
    ['0.7.0', false],
    ['0.4.0', false],
  ])('%s is told of automations: %s', async (version, isTold) => {
    const automation = await created(client, { disableConditions: [{ kind: 'afterRuns', max: 5 }] });
    const old = await host.rawClient();
    const { automations } = await old.request('initialize', {
      channel: ROOT_URI,
      clientId: old.clientId,
      protocolVersions: [version],
      initialSubscriptions: [ROOT_URI],
    });
    expect(automations).toEqual(
      isTold
        ? { create: {}, schedules: { minIntervalMinutes: 1 }, runCancellation: {}, runHistoryLimit: 100 }
        : undefined,
    );
    if (!isTold) {
      expect(await old.refused('subscribe', { channel: AUTOMATIONS_URI })).toBeDefined();
      return;
    }
    const { entries } = await old.subscribe<AutomationState>(AUTOMATIONS_URI);
    expect(entries[0]).not.toHaveProperty('runCount');
    expect(entries[0]?.definition).not.toHaveProperty('disableConditions');
    await runOf(automation);
    await ended(automation, 1);
  });
});

function turnAction(text: string) {
  return {
    type: 'chat/turnStarted',
    turnId: crypto.randomUUID(),
    startedAt: '2030-01-01T00:00:00.000Z',
    message: userMessage(text),
  };
}
