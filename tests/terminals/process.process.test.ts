import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { exitCodeOf } from '../support/exit-code.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { isAlive } from '../support/processes.js';
import { removeFolder } from '../support/remove-folder.js';
import { TerminalView } from '../support/terminals.js';
import { WireClient } from '../support/wire-client.js';

let folder: string;
let host: HostProcess;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moorage-terminals-'));
  host = await startHostProcess(['--data-dir', join(folder, 'data'), '--root', folder]);
});
afterEach(async () => {
  await host.kill();
  await removeFolder(folder);
});

/** The real command line with some terminals: one idle, one at work, one in the background of its shell. */
async function started() {
  const client = await WireClient.connect({ url: host.url, token: host.token });
  const views = await Promise.all(Array.from({ length: 3 }, () => TerminalView.open(client)));
  const lines = ['echo "pid "$$', 'echo "pid "$$; sleep 600', 'sleep 600 & echo "pid "$$ "job "$!'];
  const pids: number[] = [];
  for (const [index, view] of views.entries()) {
    await view.until(() => view.text !== '', 'a prompt'); // a shell that is only starting may throw away what is typed
    view.type(`${lines[index]}\r`);
    const found = await view.until(
      () => /pid (\d+)(?: job (\d+))?\r/.exec(view.text) ?? undefined,
      `what "${lines[index]}" writes`,
    );
    pids.push(...found.slice(1).filter(Boolean).map(Number));
  }
  return { client, pids };
}

describe('the programs in terminals of a host', () => {
  it('end with it when it is asked to stop', async () => {
    const { client, pids } = await started();
    expect(pids).toHaveLength(4);
    expect(await host.stop()).toBe(0);
    expect(pids.slice(0, 3).filter(isAlive)).toEqual([]);
    await client.closed;
  });

  it('end with it when it is killed', async () => {
    const { client, pids } = await started();
    await host.kill();
    await expect.poll(() => pids.filter(isAlive), PATIENT).toEqual([]);
    await client.closed;
  });

  it.runIf(process.platform === 'linux')('end with it also where the shell does not know of them', async () => {
    const client = await WireClient.connect({ url: host.url, token: host.token });
    const view = await TerminalView.open(client);
    await view.until(() => view.text !== '', 'a prompt');
    // As when the host dies while the shell starts a job; who uses nohup wants it to stay.
    view.type(
      'bash -c "sleep 601 & echo unknown \\$!; nohup sleep 602 >/dev/null 2>&1 & echo stays \\$!"; sleep 600\r',
    );
    const pid = async (name: string) =>
      Number(await view.until(() => new RegExp(`${name} (\\d+)\r`).exec(view.text)?.[1], name));
    const [unknown, stays] = [await pid('unknown'), await pid('stays')];
    await expect.poll(() => readFileSync(`/proc/${stays}/comm`, 'utf8'), PATIENT).toBe('sleep\n'); // until then it is not told yet
    await host.kill();
    await expect.poll(() => isAlive(unknown), PATIENT).toBe(false);
    expect(isAlive(stays)).toBe(true);
    process.kill(stays, 'SIGKILL');
    await client.closed;
  });

  it.runIf(process.platform === 'linux')('end with it also when their shell has ended before', async () => {
    const client = await WireClient.connect({ url: host.url, token: host.token });
    const view = await TerminalView.open(client);
    await view.until(() => view.text !== '', 'a prompt');
    view.type('sleep 603 & echo "job "$!; exit\r');
    const job = Number(await view.until(() => /job (\d+)\r/.exec(view.text)?.[1], 'a job'));
    await view.until((state) => exitCodeOf(state) !== undefined, 'the end of the shell');
    // Others come and go meanwhile, and what was left is not forgotten for that.
    const other = await TerminalView.open(client);
    await other.until(() => other.text !== '', 'a prompt');
    other.type('exit\r');
    await other.until((state) => exitCodeOf(state) !== undefined, 'the end of the other shell');
    expect(isAlive(job)).toBe(true);
    await host.kill();
    await expect.poll(() => isAlive(job), PATIENT).toBe(false);
    await client.closed;
  });
});
