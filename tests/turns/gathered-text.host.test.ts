import type { AgentTurn } from '@moorage/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatState, startTurn, textOf, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

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

/** Begins a turn whose agent does only what the test makes it do. */
async function talking(): Promise<{ turnId: string; run: AgentTurn; finish: () => void }> {
  let finish = () => {};
  const run = new Promise<AgentTurn>((resolve) => {
    agent.next = async (turn) => {
      resolve(turn);
      await new Promise<void>((done) => {
        finish = done;
        turn.signal.addEventListener('abort', () => done());
      });
      return undefined;
    };
  });
  const turnId = startTurn(client, chat, 'talk');
  return { turnId, run: await run, finish: () => finish() };
}

const say = (run: AgentTurn, ...texts: string[]) => {
  for (const text of texts) run.emit({ kind: 'text', text });
};
const deltas = () => client.actionsOn(chat).flatMap((action) => (action.type === 'chat/delta' ? [action.content] : []));

describe('pieces of text that come within a few milliseconds', () => {
  it('become one action, but for the first, which waits for nothing', async () => {
    const { run, turnId, finish } = await talking();
    say(run, 'a', 'b', 'c', 'd');
    await client.sync();
    expect(deltas()).toEqual(['b']);
    clock.advance(4);
    await client.sync();
    expect(deltas()).toEqual(['b', 'cd']);
    say(run, 'e');
    clock.advance(4);
    await client.sync();
    expect(deltas()).toEqual(['b', 'cd', 'e']);
    clock.advance(4);
    say(run, 'f'); // after a pause, it is the first again
    await client.sync();
    expect(deltas()).toEqual(['b', 'cd', 'e', 'f']);
    finish();
    await turnEnd(client, chat, turnId);
  });

  it('are not gathered without end', async () => {
    const { run, finish } = await talking();
    const long = 'x'.repeat(10 * 1024);
    say(run, 'a', 'b', long, long, long);
    await client.sync();
    expect(deltas().map(({ length }) => length)).toEqual([1, long.length, long.length]);
    finish();
  });

  it('come before whatever the agent does next, and before the end of the turn', async () => {
    const { run, turnId, finish } = await talking();
    say(run, 'a', 'b', 'c');
    run.emit({ kind: 'toolCallStart', toolCallId: 'call', toolName: 'write', displayName: 'Write' });
    for (const text of ['{', '"a"', ':1}']) run.emit({ kind: 'toolCallInput', toolCallId: 'call', text });
    run.emit({ kind: 'toolCallDone', toolCallId: 'call', result: { success: true, pastTenseMessage: 'Wrote' } });
    say(run, 'd', 'e', 'f');
    finish();
    await turnEnd(client, chat, turnId);
    const [turn] = (await chatState(client, chat)).turns;
    expect(turn?.responseParts).toMatchObject([
      { kind: 'markdown', content: 'abc' },
      { kind: 'toolCall', toolCall: { status: 'completed', toolInput: '{"a":1}' } },
      { kind: 'markdown', content: 'def' },
    ]);
  });

  it('are in a turn that a client cancels', async () => {
    const { run, turnId } = await talking();
    say(run, 'a', 'b', 'c');
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    await turnEnd(client, chat, turnId);
    expect(textOf((await chatState(client, chat)).turns[0])).toBe('abc');
  });

  it('are kept when the host stops', async () => {
    const { run } = await talking();
    say(run, 'a', 'b', 'c');
    await client.sync();
    await host.restart();
    const reader = await host.client();
    expect(textOf((await chatState(reader, chat)).turns[0])).toContain('abc');
  });
});
