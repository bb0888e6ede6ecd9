import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLICK, LONG, VscodeBench } from './support/bench.js';

/** The host dies as in a power cut and comes back, while the window stays open. */
let vscode: VscodeBench;
beforeAll(async () => {
  vscode = await VscodeBench.start();
  await vscode.choose('Demo');
});
afterAll(() => vscode?.end());

/** Kills the host, starts it again, and waits until the window is back. */
async function restart(): Promise<void> {
  const before = vscode.wire.requests('reconnect').length;
  await vscode.host.kill();
  await vscode.startHost();
  await expect.poll(() => vscode.wire.requests('reconnect').at(before)?.answer, LONG).toHaveProperty('result');
}

it('ends a turn that was cut off, with the reason, and takes the next message (V-6, V-18)', async () => {
  await vscode.send('/say before\n/wait 600000\n/say never');
  await vscode.shows('before');
  await restart();
  await expect.poll(() => vscode.conversation(), LONG).toContain('The host was restarted');
  await vscode.idle();
  await vscode.picture('restarted');
  await vscode.send('/say after');
  await vscode.shows('after');
  await vscode.idle();
});

it('still asks for an approval that waited, and the call runs', async () => {
  await vscode.send('/write late.txt Hello\n/say written late');
  await expect.poll(() => vscode.button(/^Allow/).count(), LONG).toBe(1);
  await restart();
  await vscode.button(/^Allow/).click(CLICK);
  await vscode.shows('written late');
  await vscode.idle();
  expect(existsSync(join(vscode.workspace, 'late.txt'))).toBe(true);
});

it('met nothing that the host refused, and nothing that it could not show', () => {
  expect(vscode.complaints).toEqual([]);
});
