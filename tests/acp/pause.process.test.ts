import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';
import { isAlive } from '../support/processes.js';

const rig = new ScriptedRig();

/** As the system has it: T for one that was stopped. */
const stateOf = (pid: number) => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];

async function pidOfAgent(): Promise<number> {
  await turn(rig.client, rig.chat, '/pid');
  return Number(/pid (\d+)/.exec(await rig.lastText())?.[1]);
}

it.runIf(process.platform === 'linux')('the program of an agent stands still while the host is paused', async () => {
  await rig.start({ timeouts: { quietMs: 50 } });
  const pid = await pidOfAgent();
  const turnId = startTurn(rig.client, rig.chat, '/write a.txt one\n/say after');
  const call = await rig.asked();
  rig.host.host.pause('Paused (says the test)');
  await expect.poll(() => stateOf(pid), PATIENT).toBe('T');
  await rig.answer(call, true);
  expect(stateOf(pid)).toBe('T');
  rig.host.host.pause(undefined);
  await turnEnd(rig.client, rig.chat, turnId);
  expect(stateOf(pid)).not.toBe('T');
  expect(await rig.lastText()).toContain('after');
});

it.runIf(process.platform === 'linux')('an agent that stands still can be ended', async () => {
  await rig.start();
  const pid = await pidOfAgent();
  rig.host.host.pause('Paused (says the test)');
  await expect.poll(() => stateOf(pid), PATIENT).toBe('T');
  await rig.host.stop();
  expect(isAlive(pid)).toBe(false);
  await rig.host.start();
});
