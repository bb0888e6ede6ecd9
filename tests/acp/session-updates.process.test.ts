import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRequests, type SessionState } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { accepted, callsOf, PATIENT, startTurn, textOf, turn, turnEnd } from '../support/actions.js';

const rig = new ScriptedRig();
const sessionState = () => rig.other.subscribe<SessionState>(rig.session);
const title = async () => (await sessionState()).title;

describe('the title of a session', () => {
  it('is looked up in the list of an agent that does not tell it, once it is one', async () => {
    await rig.start({ env: { SCRIPTED_LISTS: '1' } });
    await turn(rig.client, rig.chat, '/say hello');
    expect(await title()).toBe('/say hello');
    await expect.poll(title, PATIENT).toBe('Named in the list');
  });

  it('that a user gave is not changed by the agent', async () => {
    await rig.start({ env: { SCRIPTED_LISTS: '1' } });
    await turn(rig.client, rig.chat, '/title From the agent');
    expect(await title()).toBe('From the agent');
    await accepted(rig.other, rig.session, { type: 'session/titleChanged', title: 'Mine' });
    await turn(rig.client, rig.chat, '/title From the agent again\n/say done');
    expect(await rig.lastText()).toBe('done');
    expect(await title()).toBe('Mine');
  });
});

describe('a mode that the agent changes by itself', () => {
  it('is shown to everybody, and not taken back with the next message', async () => {
    await rig.start({ agent: { memoryFile: join(rig.folder, 'memory.json') } });
    await turn(rig.client, rig.chat, '/say hello'); // its settings are known from now on
    await rig.watch(await rig.host.session(rig.client, { provider: 'scripted', config: { mode: 'careful' } }));
    await turn(rig.client, rig.chat, '/switch bold');
    expect((await sessionState()).config?.values).toMatchObject({ mode: 'bold' });
    await turn(rig.client, rig.chat, '/mode');
    expect(await rig.lastText()).toBe('mode bold');
    await accepted(rig.other, rig.session, { type: 'session/configChanged', config: { mode: 'careful' } });
    await turn(rig.client, rig.chat, '/mode');
    expect(await rig.lastText()).toBe('mode careful');
  });

  it('that is none of its modes is passed over', async () => {
    await rig.start({ agent: { memoryFile: join(rig.folder, 'memory.json') } });
    await turn(rig.client, rig.chat, '/say hello');
    await rig.watch(await rig.host.session(rig.client, { provider: 'scripted', config: { mode: 'careful' } }));
    await turn(rig.client, rig.chat, '/switch reckless');
    expect((await sessionState()).config?.values).toMatchObject({ mode: 'careful' });
  });
});

it('what an agent asks and takes back is not asked any more', async () => {
  await rig.start();
  const turnId = startTurn(rig.client, rig.chat, '/regret a.txt');
  const regret = (step: number) => writeFileSync(join(rig.host.workspace, `regret-${step}`), '');
  await rig.client.action(rig.chat, 'chat/toolCallReady');
  regret(1);
  await rig.client.action(rig.chat, 'chat/inputRequested');
  regret(2);
  await turnEnd(rig.client, rig.chat, turnId);
  const seen = await rig.seen();
  const { turns } = seen;
  const inputRequests = openRequests(seen);
  expect(textOf(turns[0])).toBe('never mind');
  expect(callsOf(turns[0]?.responseParts)).toMatchObject([{ status: 'cancelled', reason: 'skipped' }]);
  expect(inputRequests).toEqual([]);
  const told = rig.other.actionsOn(rig.chat).map(({ type }) => type);
  expect(told.indexOf('chat/toolCallConfirmed')).toBeGreaterThan(told.indexOf('chat/toolCallReady'));
  expect(told.indexOf('chat/inputCompleted')).toBeGreaterThan(told.indexOf('chat/inputRequested'));
  expect(existsSync(join(rig.host.workspace, 'a.txt'))).toBe(false);
});
