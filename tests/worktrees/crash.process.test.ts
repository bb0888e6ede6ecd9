import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { removeFolder } from '../support/remove-folder.js';
import { commitAll, gitIn } from '../support/repository.js';
import { WireClient } from '../support/wire-client.js';
import { tracesOf } from '../support/worktree-bench.js';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 4);

let folder: string;
let work: string;
let dataDir: string;
let host: HostProcess | undefined;
let before: ReturnType<typeof tracesOf>;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-worktree-crash-')));
  work = join(folder, 'work');
  dataDir = join(folder, 'data');
  mkdirSync(join(dataDir, 'worktrees'), { recursive: true });
  mkdirSync(work);
  for (let index = 0; index < 300; index++) writeFileSync(join(work, `file-${index}.txt`), `${index}\n`);
  writeFileSync(join(work, 'slow.md'), 'slow\n');
  commitAll(work);
  before = traces();
});
afterEach(async () => {
  await host?.kill();
  await removeFolder(folder); // a filter that git runs outlives a killed host by its 3 seconds
});

const traces = () => tracesOf(work, join(dataDir, 'worktrees'));

async function start(): Promise<WireClient> {
  host = await startHostProcess(['--data-dir', dataDir, '--root', work, '--trust', work]);
  return WireClient.connect({ url: host.url, token: host.token });
}

async function create(client: WireClient, config: object = {}): Promise<string> {
  const channel = sessionUri.format(crypto.randomUUID());
  await client.request('createSession', {
    channel,
    provider: 'demo',
    workingDirectories: [pathToFileURL(work).href],
    config: { isolation: 'worktree', worktreeOnEnd: 'remove-if-clean', ...config },
  });
  return channel;
}

async function ready(client: WireClient, session: string): Promise<SessionState> {
  const { lifecycle } = await client.subscribe<SessionState>(session);
  if (lifecycle === 'creating') await client.action(session, 'session/ready');
  return client.subscribe<SessionState>(session);
}

/** One work tree, whole, on the branch of the session, and nothing else. */
function expectWhole(state: SessionState): void {
  const branch = String(state.config?.values.branchName);
  const now = traces();
  expect(now.branches).toEqual([...before.branches, branch].sort());
  expect(now.onDisk).toHaveLength(1);
  expect(now.worktrees).toHaveLength(2);
  const path = join(dataDir, 'worktrees', now.onDisk[0] ?? '');
  expect(gitIn(path, 'status', '--porcelain', '--branch')).toBe(`## ${branch}`);
  expect(readdirSync(join(work, '.git', 'worktrees'))).toHaveLength(1);
}

it('a host that is killed while files are written begins anew, and one work tree is there', async () => {
  gitIn(work, 'config', 'filter.slow.smudge', `test -e '${folder}/go' || sleep 3; cat`);
  writeFileSync(join(work, '.git', 'info', 'attributes'), '*.md filter=slow\n');
  const client = await start();
  const session = await create(client, { branchName: 'wanted' });
  await expect.poll(() => traces().onDisk.length, { timeout: 20_000 }).toBe(1);
  await host?.kill();
  const half = join(dataDir, 'worktrees', traces().onDisk[0] ?? '');
  expect(existsSync(join(half, 'slow.md'))).toBe(false); // it was cut off in the middle
  writeFileSync(join(folder, 'go'), '');
  const state = await ready(await start(), session);
  expect(state.config?.values.branchName).toBe('wanted');
  expectWhole(state);
});

it('a session that was ended in the earlier life leaves nothing either', async () => {
  gitIn(work, 'config', 'filter.slow.smudge', 'sleep 3; cat');
  writeFileSync(join(work, '.git', 'info', 'attributes'), '*.md filter=slow\n');
  const client = await start();
  const session = await create(client);
  await expect.poll(() => traces().onDisk.length, { timeout: 20_000 }).toBe(1);
  await client.request('disposeSession', { channel: session });
  await host?.kill();
  await start();
  await expect.poll(traces, { timeout: 30_000 }).toEqual(before);
  expect(existsSync(join(work, '.git', 'worktrees'))).toBe(false);
});

it(`whenever it is killed, a work tree is whole or gone (${ROUNDS} times)`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    let client = await start();
    const session = await create(client);
    await pause(Math.random() * 150);
    await host?.kill();
    client = await start();
    expectWhole(await ready(client, session));
    await client.request('disposeSession', { channel: session });
    await pause(Math.random() * 60);
    await host?.kill();
    client = await start();
    await expect.poll(traces, { timeout: 30_000 }).toEqual(before);
    expect(existsSync(join(work, '.git', 'worktrees'))).toBe(false);
    expect(gitIn(work, 'status', '--porcelain')).toBe('');
    expect(await host?.stop()).toBe(0);
  }
}, 240_000);

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
