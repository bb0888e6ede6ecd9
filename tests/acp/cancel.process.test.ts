import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { chatState, PATIENT, startTurn, textOf, turn } from '../support/actions.js';
import { isAlive, processesWith } from '../support/processes.js';

const rig = new ScriptedRig();
/** Processes of the command that a test has an agent run. */
const running = () => processesWith(`echo ${rig.mark}; sleep`).length;

describe('cancelling', () => {
  it('while it streams ends the turn, and the next one works', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/stream');
    await rig.client.action(rig.chat, 'chat/delta');
    await rig.cancel(turnId);
    await turn(rig.client, rig.chat, '/say next');
    const { turns } = await rig.seen();
    expect(turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
    expect(textOf(turns[1])).toBe('next');
  });

  it('while a command of the agent runs ends the command too', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, `/own echo ${rig.mark}; sleep 600`);
    await rig.client.action(rig.chat, 'chat/toolCallContentChanged');
    expect(running()).toBeGreaterThan(0);
    await rig.cancel(turnId);
    await expect.poll(running, PATIENT).toBe(0);
    await turn(rig.client, rig.chat, '/recall');
    expect(await rig.lastText()).toContain('sleep 600 | /recall'); // a new process, the same session
    expect((await rig.seen()).turns[0]).toMatchObject({ state: 'cancelled' });
  });

  it('keeps what the command wrote, what the agent says then, and what it used', async () => {
    await rig.start({ env: { SCRIPTED_LAST_WORDS: 'I had to stop.' } });
    const turnId = startTurn(rig.client, rig.chat, `/say before\n/own echo ${rig.mark}; sleep 600`);
    await rig.client.action(rig.chat, 'chat/toolCallContentChanged');
    await rig.cancel(turnId);
    await expect.poll(async () => (await rig.seen()).turns.length, PATIENT).toBe(2);
    const [cancelled, late] = (await rig.seen()).turns;
    expect(cancelled).toMatchObject({ state: 'cancelled' });
    expect(textOf(cancelled)).toBe('before');
    expect(late).toMatchObject({ message: { text: '', origin: { kind: 'systemNotification' } }, state: 'complete' });
    expect(late?.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(textOf(late)).toMatch(new RegExp(`until it was stopped:\\s+\`\`\`\\s+${rig.mark}`));
    expect(textOf(late)).toContain('said after the cancel: I had to stop.');
    expect(textOf(late)).toContain('used 15 tokens');
  });

  it('keeps that for the next turn, if it has begun', async () => {
    await rig.start({ env: { SCRIPTED_LAST_WORDS: 'I had to stop.' } });
    const turnId = startTurn(rig.client, rig.chat, '/stream');
    await rig.client.action(rig.chat, 'chat/delta');
    rig.client.dispatch(rig.chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    await turn(rig.client, rig.chat, '/say next');
    const { turns } = await rig.seen();
    expect(turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
    expect(JSON.stringify(turns[1])).toContain('said after the cancel: I had to stop.');
    expect(turns[1]?.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  });

  it('while a command runs in a terminal of the host ends the command', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, `/run sh -c "echo ${rig.mark}; sleep 600; true"`);
    await rig.answer(await rig.asked(), true);
    await expect.poll(running, PATIENT).toBeGreaterThan(0);
    await rig.cancel(turnId);
    await expect.poll(running, PATIENT).toBe(0);
    await turn(rig.client, rig.chat, '/say next');
    expect((await rig.seen()).turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
  });

  it('while a permission is open tells the agent, and nothing is done', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/write a.txt new');
    await rig.asked();
    await rig.cancel(turnId);
    await turn(rig.client, rig.chat, '/say next');
    expect(existsSync(join(rig.host.workspace, 'a.txt'))).toBe(false);
    expect((await rig.seen()).turns[0]).toMatchObject({ state: 'cancelled' });
  });

  it('does not reach into the turn after it', async () => {
    await rig.start({ timeouts: { cancelMs: 1_000 } });
    const turnId = startTurn(rig.client, rig.chat, '/pid\n/stream');
    await rig.client.action(rig.chat, 'chat/delta');
    await rig.cancel(turnId);
    await turn(rig.client, rig.chat, '/pid\n/own sleep 1.5; echo slow');
    const { turns } = await rig.seen();
    expect(turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
    expect(textOf(turns[0])).toContain(textOf(turns[1])); // by the same process
  });

  it('an agent that does not listen ends its process', async () => {
    await rig.start({ timeouts: { cancelMs: 100 } });
    const turnId = startTurn(rig.client, rig.chat, '/pid\n/hang');
    await rig.client.action(rig.chat, 'chat/responsePart');
    const turnBefore = (await chatState(rig.client, rig.chat)).activeTurn;
    const pid = Number(/pid (\d+)/.exec(textOf(turnBefore))?.[1]);
    await rig.cancel(turnId);
    await expect.poll(() => isAlive(pid), PATIENT).toBe(false);
    await turn(rig.client, rig.chat, '/say next');
    expect(await rig.lastText()).toBe('next');
  });
});
