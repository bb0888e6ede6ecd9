import type { ChatState, SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, approval, chatState, endedIn, startTurn, turnEnd } from '../support/actions.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const WHY = 'Paused (says the test)';

let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;

beforeEach(async () => {
  agent = new GatedAgent();
  host = await TestHost.start({ agents: [agent] });
  client = await host.client();
  ({ session, chat } = await host.session(client, { provider: 'test' }));
});
afterEach(() => host.dispose());

/** Far more turns of the host's loop than an answer needs that nothing holds back. */
async function manyRounds(): Promise<void> {
  for (let round = 0; round < 50; round++) await client.request('ping', { channel: 'ahp-root://' });
}

const activity = async () => (await client.subscribe<SessionState>(session)).activity;

describe('a host that is paused', () => {
  it('starts no agent until it goes on, and says why', async () => {
    host.host.pause(WHY);
    const turnId = startTurn(client, chat, 'hello');
    await manyRounds();
    expect(agent.opened).toEqual([]);
    expect(await activity()).toBe(WHY);
    host.host.pause(undefined);
    agent.openAll();
    await turnEnd(client, chat, turnId);
    expect(await activity()).toBeUndefined();
  });

  it('tells a running agent to wait, and takes messages and answers meanwhile', async () => {
    const seen: string[] = [];
    agent.next = async (turn) => {
      await agent.gate();
      await turn.goAhead();
      seen.push('went ahead');
      return undefined;
    };
    const turnId = startTurn(client, chat, 'hello');
    await expect.poll(() => agent.turns.length).toBe(1);
    host.host.pause(WHY);
    expect(await activity()).toBe(WHY);
    agent.openAll();
    await manyRounds();
    expect(seen).toEqual([]);
    expect((await chatState(client, chat)).activeTurn?.id).toBe(turnId);
    host.host.pause(undefined);
    await turnEnd(client, chat, turnId);
    expect(seen).toEqual(['went ahead']);
  });

  it('keeps an approval from the agent until it goes on; everybody sees it at once', async () => {
    const decided: unknown[] = [];
    agent.next = async (turn) => {
      const identity = { toolCallId: 'dig', toolName: 'dig', displayName: 'Dig' };
      decided.push(await turn.confirm({ toolCallId: 'dig', identity, invocationMessage: 'Dig?', toolInput: '{}' }));
      return undefined;
    };
    const turnId = startTurn(client, chat, 'hello');
    await client.action(chat, 'chat/toolCallReady');
    host.host.pause(WHY);
    await accepted(client, chat, approval(turnId, 'dig'));
    await manyRounds();
    expect(decided).toEqual([]);
    host.host.pause(undefined);
    await turnEnd(client, chat, turnId);
    expect(decided).toEqual([expect.objectContaining({ approved: true })]);
  });

  it('cancels a turn all the same', async () => {
    host.host.pause(WHY);
    const turnId = startTurn(client, chat, 'hello');
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    host.host.pause(undefined);
    await manyRounds();
    expect(agent.opened).toEqual([]);
  });

  it('and closed has no agent that waits', async () => {
    host.host.pause(WHY);
    startTurn(client, chat, 'hello');
    await manyRounds();
    await host.stop();
    await host.start();
    const again = await host.client();
    const { turns } = await again.subscribe<ChatState>(chat);
    expect(turns.at(-1)).toMatchObject(endedIn({ errorType: 'hostRestarted' }));
  });
});
