import type { ToolCallResult } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accepted, approval, callsOf, chatState, startTurn, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const DONE: ToolCallResult = { success: true, pastTenseMessage: 'Dug' };
const IDENTITY = { toolName: 'dig', displayName: 'Dig' };

let clock: ManualClock;
let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let chat: string;
beforeEach(async () => {
  clock = new ManualClock();
  agent = new GatedAgent();
  host = await TestHost.start({ clock, agents: [agent] });
  client = await host.client();
  ({ chat } = await host.session(client, { provider: 'test' }));
});
afterEach(() => host.dispose());

it('a finished call says how long it ran, beside whatever the agent said of it', async () => {
  agent.next = async (run) => {
    run.emit({ kind: 'toolCallStart', toolCallId: 'c', ...IDENTITY, meta: { depth: 3 } });
    clock.advance(5_000); // its input is still being written
    run.emit({ kind: 'toolCallRunning', toolCallId: 'c', invocationMessage: 'Digging' });
    clock.advance(1_200);
    run.emit({ kind: 'toolCallDone', toolCallId: 'c', result: DONE });
    return undefined;
  };
  expect(await call()).toMatchObject({ status: 'completed', _meta: { depth: 3, 'moorage.durationMs': 1_200 } });
});

it('the time that it waited for approval does not count, also when it asks again in the middle', async () => {
  agent.next = async (run) => {
    run.emit({ kind: 'toolCallStart', toolCallId: 'c', ...IDENTITY });
    await run.confirm({ toolCallId: 'c', invocationMessage: 'Dig' });
    clock.advance(300);
    await run.confirm({ toolCallId: 'c', invocationMessage: 'Dig deeper' });
    clock.advance(40);
    run.emit({ kind: 'toolCallDone', toolCallId: 'c', result: DONE });
    return undefined;
  };
  const turnId = startTurn(client, chat, 'go');
  for (let asked = 0; asked < 2; asked++) {
    await client.action(chat, 'chat/toolCallReady');
    clock.advance(60_000);
    await accepted(client, chat, approval(turnId, 'c'));
  }
  expect(await call(turnId)).toMatchObject({ status: 'completed', _meta: { 'moorage.durationMs': 340 } });
});

it('of a call that an agent tells of when it is over, nothing is claimed', async () => {
  agent.next = async (run) => {
    run.emit({ kind: 'toolCallStart', toolCallId: 'c', ...IDENTITY });
    clock.advance(1_000);
    run.emit({ kind: 'toolCallDone', toolCallId: 'c', result: DONE });
    return undefined;
  };
  const finished = await call();
  expect(finished?.status).toBe('completed');
  expect(finished?._meta).toBeUndefined();
});

async function call(turnId = startTurn(client, chat, 'go')) {
  await turnEnd(client, chat, turnId);
  return callsOf((await chatState(client, chat)).turns[0]?.responseParts)[0];
}
