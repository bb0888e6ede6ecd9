import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoAgent } from '@moorage/agents/demo';
import type { ToolDecision } from '@moorage/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, approval, callsOf, chatState, reasonFor, startTurn, textOf, turnEnd } from '../support/actions.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let bob: WireClient;
beforeEach(async () => {
  agent = new GatedAgent();
  host = await TestHost.start({ agents: [demoAgent({ isolation: 'none' }), agent] });
  client = await host.client();
  bob = await host.client();
});
afterEach(() => host.dispose());

/** A turn of the demo agent that waits for an answer to `/write a.txt hello`. */
async function writing() {
  const { chat } = await host.session(client);
  await bob.subscribe(chat);
  const turnId = startTurn(client, chat, '/write a.txt hello\n/say done');
  const ready = await client.action(chat, 'chat/toolCallReady');
  const target = { type: 'chat/toolCallConfirmed', turnId, toolCallId: ready.toolCallId };
  return {
    chat,
    turnId,
    ready,
    approve: (more: object = {}) => ({ ...target, approved: true, confirmed: 'user-action', ...more }),
    deny: (more: object = {}) => ({ ...target, approved: false, reason: 'denied', ...more }),
    text: async () => {
      await turnEnd(client, chat, turnId);
      return textOf((await chatState(client, chat)).turns[0]);
    },
    call: async () => {
      const { activeTurn, turns } = await chatState(client, chat);
      return callsOf((activeTurn ?? turns[0])?.responseParts)[0];
    },
  };
}

const written = () => join(host.workspace, 'a.txt');

describe('chat/toolCallConfirmed', () => {
  it('that approves lets the tool run, and the first answer counts (B-182, B-187, B-188)', async () => {
    const { chat, approve, deny, call, text, ready } = await writing();
    expect(ready).toMatchObject({ editable: true, edits: { items: [expect.anything()] }, options: expect.any(Array) });
    expect((await chatState(client, chat)).status).toBe(24);
    await accepted(bob, chat, approve());
    expect(await reasonFor(client, chat, deny())).toContain('does not wait');
    expect(await reasonFor(client, chat, approve())).toContain('does not wait');
    expect(await text()).toContain('done');
    expect(readFileSync(written(), 'utf8')).toBe('hello');
    expect(await call()).toMatchObject({ status: 'completed', success: true, confirmed: 'user-action' });
  });

  it('that denies skips the tool, with its reason and what to do instead (B-190)', async () => {
    const { chat, deny, call, text } = await writing();
    const userSuggestion = userMessage('write b.txt');
    await accepted(client, chat, deny({ reasonMessage: 'not that file', userSuggestion }));
    expect(await text()).toMatch(/not that file[\s\S]*write b\.txt[\s\S]*done/);
    expect(await call()).toMatchObject({
      status: 'cancelled',
      reason: 'denied',
      reasonMessage: 'not that file',
      userSuggestion,
    });
    expect(existsSync(written())).toBe(false);
  });

  it('that comes in the same instant as the end of its turn runs nothing (V-48)', async () => {
    const { chat, turnId, approve, call } = await writing();
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    expect(await reasonFor(client, chat, approve())).toBeTruthy(); // VS Code sends both when the user presses Stop
    expect(await call()).toMatchObject({ status: 'cancelled' });
    const next = startTurn(client, chat, '/say the next turn');
    await turnEnd(client, chat, next); // what the agent still did in the turn before it has done by now
    expect(existsSync(written())).toBe(false);
    expect(await reasonFor(client, chat, approve())).toBeTruthy();
  });

  it('that VS Code sends by itself after Stop runs nothing either, and is no error to it (V-48)', async () => {
    const { chat, turnId, approve, call } = await writing();
    const vscode = await host.client({ program: 'vscode-editor-window' });
    await vscode.subscribe(chat);
    vscode.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    expect((await vscode.act(chat, approve())).rejectionReason).toBeUndefined();
    expect(await call()).toMatchObject({ status: 'cancelled' });
    const next = startTurn(client, chat, '/say the next turn');
    await turnEnd(client, chat, next);
    expect(existsSync(written())).toBe(false);
    expect(client.actionsOn(chat).map(({ type }) => type)).not.toContain('chat/toolCallConfirmed');
  });

  it('may skip, or say that a setting of the client approves (OQ-65)', async () => {
    const first = await writing();
    await accepted(client, first.chat, first.deny({ reason: 'skipped' }));
    expect(await first.text()).toContain('skipped');
    const second = await writing();
    await accepted(client, second.chat, second.approve({ confirmed: 'setting' }));
    await second.text();
    expect(await second.call()).toMatchObject({ status: 'completed', confirmed: 'setting' });
  });

  it('with an option must fit it; the whole option stays with the call (B-183, B-185, OQ-65)', async () => {
    const { chat, approve, deny, call, text } = await writing();
    expect(await reasonFor(client, chat, approve({ selectedOptionId: 'nonsense' }))).toContain('nonsense');
    expect(await reasonFor(client, chat, approve({ selectedOptionId: 'deny' }))).toContain('does not approve');
    expect(await reasonFor(client, chat, deny({ selectedOptionId: 'allow' }))).toContain('does not deny');
    expect((await call())?.status).toBe('pending-confirmation');
    await accepted(client, chat, approve({ selectedOptionId: 'allow-session' }));
    await text();
    const selectedOption = { id: 'allow-session', kind: 'approve', label: expect.any(String) };
    expect(await call()).toMatchObject({ status: 'completed', selectedOption });
    // The agent acts upon it: it does not ask again in this session.
    const next = startTurn(client, chat, '/append a.txt !');
    await turnEnd(client, chat, next);
    expect(readFileSync(written(), 'utf8')).toBe('hello!');
    const denied = await writing();
    await accepted(client, denied.chat, denied.deny({ selectedOptionId: 'deny' }));
    expect(await denied.call()).toMatchObject({ status: 'cancelled', selectedOption: { id: 'deny' } });
  });

  it('with an edited input changes what the tool does (B-186)', async () => {
    const { chat, approve, call, text } = await writing();
    const editedToolInput = JSON.stringify({ path: 'a.txt', text: 'edited' });
    await accepted(client, chat, approve({ editedToolInput }));
    await text();
    expect(readFileSync(written(), 'utf8')).toBe('edited');
    expect(await call()).toMatchObject({ toolInput: editedToolInput });
  });

  it('is rejected for what does not wait, or in an impossible way (B-64, OQ-63, OQ-65)', async () => {
    const { chat } = await host.session(client, { provider: 'test' });
    const decisions: ToolDecision[] = [];
    agent.next = async (run) => {
      run.emit({ kind: 'toolCallStart', toolCallId: 'c', toolName: 'dig', displayName: 'Dig' });
      decisions.push(await run.confirm({ toolCallId: 'c', invocationMessage: 'Dig', toolInput: 'deep' }));
      return undefined;
    };
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/toolCallReady');
    const approve = approval(turnId, 'c');
    for (const [change, reason] of [
      [{ toolCallId: 'unknown' }, 'does not wait'],
      [{ turnId: 'unknown' }, 'does not wait'],
      [{ confirmed: 'not-needed' }, 'no confirmation was needed'],
      [{ editedToolInput: 'deeper' }, 'cannot be edited'],
      [{ selectedOptionId: 'allow' }, 'no option'],
    ] as const) {
      expect(await reasonFor(client, chat, { ...approve, ...change })).toContain(reason);
    }
    expect(decisions).toEqual([]);
    await accepted(client, chat, approve);
    await turnEnd(client, chat, turnId);
    expect(decisions).toEqual([{ approved: true, toolInput: 'deep' }]);
    expect(await reasonFor(client, chat, approve)).toContain('does not wait');
  });
});

describe('a running call that is asked about again', () => {
  const content = [{ type: 'text' as const, text: 'half a hole' }];

  async function askedAgain(more: object = {}) {
    const { chat } = await host.session(client, { provider: 'test' });
    agent.next = async (run) => {
      run.emit({ kind: 'toolCallStart', toolCallId: 'c', toolName: 'dig', displayName: 'Dig' });
      run.emit({ kind: 'toolCallRunning', toolCallId: 'c', invocationMessage: 'Dig', toolInput: 'deep' });
      run.emit({ kind: 'toolCallContent', toolCallId: 'c', content });
      await run.confirm({ toolCallId: 'c', invocationMessage: 'Dig under the fence?', ...more });
      await agent.gate();
      return undefined;
    };
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/toolCallReady', 2);
    const call = async () => callsOf((await chatState(client, chat)).activeTurn?.responseParts)[0];
    return { chat, turnId, call };
  }

  it('keeps its input, and shows its content again once it runs (B-176, OQ-61)', async () => {
    const { chat, turnId, call } = await askedAgain();
    expect(await call()).toMatchObject({ status: 'pending-confirmation', toolInput: 'deep' });
    await accepted(client, chat, approval(turnId, 'c'));
    await client.action(chat, 'chat/toolCallContentChanged', 2);
    expect(await call()).toMatchObject({ status: 'running', toolInput: 'deep', content });
  });

  it('has the input that is asked about, and is over when it is denied', async () => {
    const { chat, turnId, call } = await askedAgain({ toolInput: 'deeper' });
    await accepted(client, chat, { ...approval(turnId, 'c'), approved: false, confirmed: undefined, reason: 'denied' });
    await client.sync();
    expect(await call()).toMatchObject({ status: 'cancelled', toolInput: 'deeper' });
  });
});

describe('chat/toolCallResultConfirmed', () => {
  const result = { success: true, pastTenseMessage: 'Dug', content: [{ type: 'text' as const, text: 'gold' }] };
  const answers: { approved: boolean }[] = [];

  async function digging() {
    answers.length = 0;
    const { chat } = await host.session(client, { provider: 'test' });
    agent.next = async (run) => {
      run.emit({ kind: 'toolCallStart', toolCallId: 'c', toolName: 'dig', displayName: 'Dig' });
      run.emit({ kind: 'toolCallRunning', toolCallId: 'c', invocationMessage: 'Dig', toolInput: '{}' });
      answers.push(await run.confirmResult('c', result));
      return undefined;
    };
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/toolCallComplete');
    const confirm = { type: 'chat/toolCallResultConfirmed', turnId, toolCallId: 'c' };
    const call = async () => {
      await turnEnd(client, chat, turnId);
      return callsOf((await chatState(client, chat)).turns[0]?.responseParts)[0];
    };
    return { chat, turnId, confirm, call };
  }

  it('lets the agent use the result, or keeps it from it (B-177, B-181)', async () => {
    const approved = await digging();
    expect((await chatState(client, approved.chat)).status).toBe(24);
    await accepted(client, approved.chat, { ...approved.confirm, approved: true });
    expect(await approved.call()).toMatchObject({ status: 'completed', ...result });
    expect(answers).toEqual([{ approved: true }]);
    const denied = await digging();
    await accepted(client, denied.chat, { ...denied.confirm, approved: false });
    const call = await denied.call();
    expect(call).toMatchObject({ status: 'cancelled', reason: 'result-denied' });
    expect(call).not.toHaveProperty('content');
    expect(answers).toEqual([{ approved: false }]);
  });

  it('is rejected for a call that does not wait for it (OQ-63)', async () => {
    const { chat, confirm, call } = await digging();
    expect(await reasonFor(client, chat, { ...confirm, toolCallId: 'x', approved: true })).toContain('does not wait');
    const early = { type: 'chat/toolCallConfirmed', turnId: confirm.turnId, toolCallId: 'c', approved: true };
    expect(await reasonFor(client, chat, { ...early, confirmed: 'user-action' })).toContain('does not wait');
    await accepted(client, chat, { ...confirm, approved: true });
    await call();
    expect(await reasonFor(client, chat, { ...confirm, approved: true })).toContain('does not wait');
  });
});
