import { join } from 'node:path';
import { ROOT_URI, type RootState, type SessionState } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { AcpProvider } from '../../packages/agents/src/acp/provider.js';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { accepted, chatState, startTurn, textOf, turn, turnEnd } from '../support/actions.js';

const rig = new ScriptedRig();

describe('after a restart of the host', () => {
  it('the conversation goes on where it was', async () => {
    await rig.start();
    await turn(rig.client, rig.chat, '/say before');
    await rig.restart();
    await turn(rig.client, rig.chat, '/recall');
    expect(await rig.lastText()).toBe('I know: /say before | /recall');
  });

  it('an agent that cannot load its session gets the history, and the user is told', async () => {
    await rig.start({ env: { SCRIPTED_STATE: '' } });
    await turn(rig.client, rig.chat, '/say before');
    await rig.restart();
    await turn(rig.client, rig.chat, '/recall');
    expect(await rig.lastText()).toMatch(/User: \/say before\s+You: before/);
    const notice = (await rig.seen()).turns[1]?.responseParts[0];
    expect(notice).toMatchObject({ kind: 'systemNotification', content: expect.stringContaining('could not take up') });
  });

  it('nor does it remember what was cut from the chat', async () => {
    await rig.start();
    const first = await turn(rig.client, rig.chat, '/say one');
    await turn(rig.client, rig.chat, '/say two');
    await accepted(rig.client, rig.chat, { type: 'chat/truncated', turnId: first });
    await turn(rig.client, rig.chat, '/recall');
    expect(await rig.lastText()).toContain('/say one');
    expect(await rig.lastText()).not.toContain('/say two');
  });

  it('nor what was cut before it was started again (B-219, OQ-57)', async () => {
    await rig.start();
    const first = await turn(rig.client, rig.chat, '/say one');
    await turn(rig.client, rig.chat, '/say two');
    await rig.restart();
    await accepted(rig.client, rig.chat, { type: 'chat/truncated', turnId: first });
    await turn(rig.client, rig.chat, '/recall');
    expect(await rig.lastText()).toContain('/say one');
    expect(await rig.lastText()).not.toContain('/say two');
  });
});

describe('what root state says of an agent', () => {
  const info = async () => (await rig.client.subscribe<RootState>(ROOT_URI)).agents[0];

  it('is why it cannot start, without secrets', async () => {
    const key = 'sesame-1234';
    await rig.start({ env: { SCRIPTED_FAIL: '1', SCRIPTED_KEY: key } });
    const turnId = startTurn(rig.client, rig.chat, 'hello');
    const end = JSON.stringify(await turnEnd(rig.client, rig.chat, turnId));
    expect(end).toContain('Scripted could not be started: exit code 3');
    expect(end).toContain('cannot work: api_key=[secret]');
    expect((await info())?.description).toContain('Cannot be used now: Scripted could not be started');
    expect(JSON.stringify(rig.client.envelopes)).not.toContain(key);
  });

  it('is that its program is missing', async () => {
    await rig.start({ agent: { command: 'no-such-agent-anywhere' } });
    expect((await info())?.description).toMatch(/"no-such-agent-anywhere" of Scripted was not found/);
    const turnId = startTurn(rig.client, rig.chat, 'hello');
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({
      part: { error: { errorType: 'agentNotStarted' } },
    });
  });

  it('may be that it has models; one that names none is offered with one (V-49)', async () => {
    await rig.start();
    const { agents } = await rig.client.subscribe<RootState>(ROOT_URI);
    expect(agents.find(({ provider }) => provider === 'scripted')?.models).not.toEqual([]);
    expect(new AcpProvider(rig.options()).info.models).toMatchObject([{ id: 'default' }]);
  });

  it('becomes what users can set, for this session and the next', async () => {
    const memoryFile = join(rig.folder, 'memory', 'scripted.json');
    await rig.start({ agent: { memoryFile } });
    await turn(rig.client, rig.chat, '/mode');
    expect(await rig.lastText()).toBe('mode careful');
    const next = await rig.host.session(rig.client, { provider: 'scripted', config: { mode: 'bold' } });
    expect((await rig.client.subscribe<SessionState>(next.session)).config).toMatchObject({
      schema: { properties: { mode: { enum: ['careful', 'bold'] } } },
      values: { mode: 'bold' },
    });
    await turn(rig.client, next.chat, '/mode');
    expect(textOf((await chatState(rig.client, next.chat)).turns[0])).toBe('mode bold');
    await accepted(rig.client, next.session, { type: 'session/configChanged', config: { mode: 'careful' } });
    await turn(rig.client, next.chat, '/mode');
    expect(textOf((await chatState(rig.client, next.chat)).turns[1])).toBe('mode careful');
    expect(new AcpProvider(rig.options({ memoryFile })).sessionConfig).toMatchObject({ mode: { title: 'Mode' } });
  });
});
