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

  it('greets', async () => {
    await turn(rig.client, rig.chat, 'script:hello');
    const { turns } = await rig.seen();
    expect(turns[0]).toMatchObject({ state: 'complete', usage: { outputTokens: expect.any(Number) } });
    expect(textOf(turns[0])).toContain('Hello from the model.');
  });

  it('edits a file that the user allows it to, and the changeset shows it', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:edit');
    expect(await rig.answering(turnId, true)).toMatchObject({ type: 'chat/turnComplete' });
    expect(readFileSync(file('README.md'), 'utf8')).toBe('first line\nnew line\nlast line\n');
    const { turns } = await rig.seen();
    expect(textOf(turns[0])).toContain('It is changed.');
    const edits = callsOf(turns[0]?.responseParts).flatMap((call) =>
      call.status === 'completed' ? (call.content ?? []).filter(({ type }) => type === 'fileEdit') : [],
    );
    expect(edits).toMatchObject([{ before: {}, after: {}, diff: { added: 1, removed: 1 } }]);
    expect(await rig.changedFiles(turnId, 1)).toEqual([expect.stringContaining('README.md')]);
  });

  it('leaves alone what the user does not allow', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:write');
    await rig.answering(turnId, false);
    expect(existsSync(file('hello.txt'))).toBe(false);
    const [call] = callsOf((await rig.seen()).turns[0]?.responseParts);
    expect(call).toMatchObject({ status: 'cancelled', reason: 'denied' });
  });

  it('stops while it streams, and goes on with the next message', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:endless');
    await rig.client.action(rig.chat, 'chat/delta', 3);
    await rig.cancel(turnId);
    await turn(rig.client, rig.chat, 'script:hello');
    const { turns } = await rig.seen();
    expect(turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
    expect(textOf(turns[1])).toContain('Hello from the model.');
  });

  it('stops while a command runs, and the command ends', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:sleep');
    void rig.answering(turnId, true);
    const running = (line: string) => processesWith(line).filter((pid) => processesWith(rig.home).includes(pid));
    // The command itself, not a shell or a sandbox that will run it: stopped before, Codex has left the command running.
    await expect.poll(() => running('sleep\x00600').length, VERY_PATIENT).toBeGreaterThan(0);
    await rig.cancel(turnId);
    await expect.poll(() => [...running('sleep\x00600'), ...running('sleep 600')], VERY_PATIENT).toEqual([]);
    await turn(rig.client, rig.chat, 'script:hello');
    expect((await rig.seen()).turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
  });

  it('stops while it asks for permission', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:write');
    await asked();
    await rig.cancel(turnId);
    await turn(rig.client, rig.chat, 'script:hello');
    expect(existsSync(file('hello.txt'))).toBe(false);
    expect((await rig.seen()).turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
  });

  it('works in two chats at once', async () => {
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

  it('that is killed fails its turn, and is there again for the next', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:endless');
    await rig.client.action(rig.chat, 'chat/delta', 3);
    for (const pid of processesWith(rig.home)) killed(pid);
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({
      part: { error: { errorType: 'agentExited' } },
    });
    await turn(rig.client, rig.chat, 'script:hello');
    expect(textOf((await rig.seen()).turns[1])).toContain('Hello from the model.');
  });

  scenario(agent, 'resume', 'goes on after a restart of the host, with its own session', async () => {
    await turn(rig.client, rig.chat, 'script:hello');
    await rig.restartHost();
    await turn(rig.client, rig.chat, 'script:hello');
    const { turns } = await rig.seen();
    expect(textOf(turns[1])).toContain('Hello from the model.');
    expect(JSON.stringify(turns[1])).not.toContain('could not take up its earlier session');
  });
});

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in this moment.
  }
}
