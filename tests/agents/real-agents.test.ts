import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHOSEN_AGENTS, scenario, useRealAgent, VERY_PATIENT } from '../support/acp/real-agent-rig.js';
import { callsOf, chatState, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { processesWith } from '../support/processes.js';

it('there is an agent to run', () => expect(CHOSEN_AGENTS).not.toEqual([]));

describe.each(CHOSEN_AGENTS)('$id', (agent) => {
  const rig = useRealAgent(agent);
  const file = (name: string) => join(rig.host.workspace, name);

  async function asked(): Promise<void> {
    await rig.client.envelope(({ action }) => action.type === 'chat/toolCallReady' && !action.confirmed);
  }

  scenario(agent, 'hello', async () => {
    await turn(rig.client, rig.chat, 'script:hello');
    const { turns } = await rig.seen();
    expect(turns[0]).toMatchObject({ state: 'complete' });
    expect(textOf(turns[0])).toContain('Hello from the model.');
  });

  const used = async () => {
    for (const _ of [1, 2]) await turn(rig.client, rig.chat, 'script:hello');
    return (await rig.seen()).turns.map(({ usage }) => usage?.outputTokens);
  };

  scenario(
    agent,
    'usage',
    async () => {
      const [first, second] = await used();
      expect(first).toBeGreaterThan(0);
      expect(second).toBeLessThan(2 * (first ?? 0)); // of the turn, not of all turns so far
    },
    async () => expect(await used()).toEqual([undefined, undefined]),
  );

  const edits = async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:edit');
    expect(await rig.answering(turnId, true)).toMatchObject({ type: 'chat/turnComplete' });
    expect(readFileSync(file('README.md'), 'utf8')).toBe('first line\nnew line\nlast line\n');
    const { turns } = await rig.seen();
    expect(textOf(turns.at(-1))).toContain('It is changed.');
    expect(await rig.changedFiles(turnId, 1)).toEqual([expect.stringContaining('README.md')]);
    return callsOf(turns.at(-1)?.responseParts).flatMap((call) =>
      call.status === 'completed' ? (call.content ?? []).filter(({ type }) => type === 'fileEdit') : [],
    );
  };

  scenario(
    agent,
    'edit',
    async () => expect(await edits()).toMatchObject([{ before: {}, after: {}, diff: { added: 1, removed: 1 } }]),
    async () => expect(await edits()).toEqual([]), // the changeset has it all the same
  );

  scenario(
    agent,
    'reject',
    async () => {
      const turnId = startTurn(rig.client, rig.chat, 'script:write');
      await rig.answering(turnId, false);
      expect(existsSync(file('hello.txt'))).toBe(false);
      const [call] = callsOf((await rig.seen()).turns[0]?.responseParts);
      expect(call).toMatchObject({ status: 'cancelled', reason: 'denied' });
    },
    () => writesUnasked(),
  );

  scenario(agent, 'command', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:command');
    expect(await rig.answering(turnId, true)).toMatchObject({ type: 'chat/turnComplete' });
    const { turns } = await rig.seen();
    expect(textOf(turns[0])).toContain('It ran.');
    expect(rig.model.heard()).toContain('41234');
    const calls = callsOf(turns[0]?.responseParts);
    expect(calls).toMatchObject([{ status: 'completed', success: true }]);
    expect(JSON.stringify(calls)).toContain('expr 40000 + 1234'); // what is run is shown
  });

  scenario(agent, 'cancel while it streams', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:endless');
    await rig.client.action(rig.chat, 'chat/delta', 3);
    await rig.cancel(turnId);
    await turn(rig.client, rig.chat, 'script:hello');
    const turns = await rig.userTurns();
    expect(turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
    expect(textOf(turns[0])).toContain('word1 ');
    expect(textOf(turns[1])).toContain('Hello from the model.');
  });

  scenario(agent, 'cancel while a command runs', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:sleep');
    void rig.answering(turnId, true);
    const running = (line: string) => processesWith(line).filter((pid) => processesWith(rig.home).includes(pid));
    // The command itself, not a shell or a sandbox that will run it: stopped before, Codex has left the command running.
    await expect.poll(() => processesWith('sleep\x00600').length, VERY_PATIENT).toBeGreaterThan(0);
    await rig.cancel(turnId);
    await expect.poll(() => [...running('sleep\x00600'), ...running('sleep 600')], VERY_PATIENT).toEqual([]);
    await turn(rig.client, rig.chat, 'script:hello');
    expect((await rig.userTurns()).map(({ state }) => state)).toEqual(['cancelled', 'complete']);
  });

  scenario(
    agent,
    'cancel while it asks',
    async () => {
      const turnId = startTurn(rig.client, rig.chat, 'script:write');
      await asked();
      await rig.cancel(turnId);
      await turn(rig.client, rig.chat, 'script:hello');
      expect(existsSync(file('hello.txt'))).toBe(false);
      expect((await rig.userTurns()).map(({ state }) => state)).toEqual(['cancelled', 'complete']);
    },
    () => writesUnasked(),
  );

  scenario(agent, 'two chats', async () => {
    const second = rig.host.newChatUri();
    await rig.client.request('createChat', { channel: rig.session, chat: second });
    await rig.client.subscribe(second);
    const first = startTurn(rig.client, rig.chat, 'script:write');
    const last = startTurn(rig.client, second, 'script:hello');
    expect(await turnEnd(rig.client, second, last)).toMatchObject({ type: 'chat/turnComplete', turnId: last });
    expect(textOf((await chatState(rig.client, second)).turns[0])).toContain('Hello from the model.');
    expect(await rig.answering(first, true)).toMatchObject({ type: 'chat/turnComplete' });
    expect(readFileSync(file('hello.txt'), 'utf8')).toBe('hi\n');
  });

  scenario(agent, 'agent killed', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:endless');
    await rig.client.action(rig.chat, 'chat/delta', 3);
    for (const pid of processesWith(rig.home)) killed(pid);
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({
      part: { error: { errorType: 'agentExited' } },
    });
    await turn(rig.client, rig.chat, 'script:hello');
    expect(textOf((await rig.seen()).turns[1])).toContain('Hello from the model.');
  });

  /** A turn, a restart after a while, and another turn; whether the agent was told the conversation again. */
  const afterRestart = async (milliseconds: number) => {
    await turn(rig.client, rig.chat, 'script:hello');
    await rig.host.stop();
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    await rig.startHost();
    await turn(rig.client, rig.chat, 'script:hello');
    const { turns } = await rig.seen();
    expect(turns.map(({ state }) => state)).toEqual(['complete', 'complete']);
    expect(textOf(turns[1])).toContain('Hello from the model.');
    expect(rig.model.heard().match(/script:hello/g)?.length).toBeGreaterThan(1); // it knows what was said before
    return JSON.stringify(turns[1]).includes('could not take up its earlier session');
  };

  scenario(
    agent,
    'host restarted',
    async () => expect(await afterRestart(0)).toBe(false),
    async () => expect(await afterRestart(0)).toBe(true),
  );

  // Takes a minute in real time, which only a run of all agents has: what agents do with a session by then is up to them.
  if (!process.env.CI) {
    scenario(
      agent,
      'host restarted later',
      async () => expect(await afterRestart(65_000)).toBe(false),
      async () => expect(await afterRestart(65_000)).toBe(true),
    );
  }

  scenario(
    agent,
    'adopt',
    async () => {
      await turn(rig.client, rig.chat, 'script:hello');
      await rig.otherHost();
      const { items } = await rig.earlierSessions();
      expect(items).toHaveLength(1);
      await rig.adopt(items[0]?.id ?? '');
      const { turns } = await chatState(rig.client, rig.chat);
      expect(turns.map((one) => [one.message.text.includes('script:hello'), textOf(one)])).toEqual([
        [true, expect.stringContaining('Hello from the model.')],
      ]);
      await turn(rig.client, rig.chat, 'script:hello');
      expect(textOf((await rig.seen()).turns[1])).toContain('Hello from the model.');
      expect(rig.model.heard().match(/script:hello/g)?.length).toBeGreaterThan(1); // in its own session
    },
    async () => {
      await turn(rig.client, rig.chat, 'script:hello');
      await rig.otherHost();
      const refused = await rig.earlierSessions().catch((error: Error) => error.message);
      expect(refused).toMatch(/does not list its sessions|cannot continue its earlier sessions/);
    },
  );

  scenario(agent, 'sandbox', async () => {
    await rig.newSession({ sandbox: 'network' });
    await edits();
    const turnId = startTurn(rig.client, rig.chat, 'script:escape');
    await rig.answering(turnId, true);
    expect(existsSync('/var/moorage-escaped')).toBe(false);
    expect(rig.model.heard()).toMatch(/Read-only|Permission denied|cannot create|not permitted/i);
  });

  async function writesUnasked(): Promise<void> {
    const turnId = startTurn(rig.client, rig.chat, 'script:write');
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    expect(readFileSync(file('hello.txt'), 'utf8')).toBe('hi\n');
    expect(await rig.changedFiles(turnId, 1)).toEqual([expect.stringContaining('hello.txt')]); // can be undone
  }
});

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in this moment.
  }
}
