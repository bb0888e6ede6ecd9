import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gitWorktrees } from '@moorage/host';
import { type ChangesetState, changesetUri, ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { descendantsOf } from '../support/process-tree.js';
import { commitAll } from '../support/repository.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';
import { runTurn } from '../support/worktree-bench.js';

let host: TestHost;
let client: WireClient;
const folderOf = (name: string) => join(host.workspace, name);
const pipeOf = (name: string) => join(folderOf(name), '.git', 'pipe');

/** Git reads its settings first, and waits for whoever writes into the pipe. */
function hang(name: string): void {
  execFileSync('mkfifo', [pipeOf(name)]);
  appendFileSync(join(folderOf(name), '.git', 'config'), '[include]\n\tpath = pipe\n');
}

const hangingGits = () => descendantsOf(process.pid).filter(({ command }) => /^\S*git\s/.test(command));

beforeEach(async () => {
  host = new TestHost({
    workspaces: workspacesIn,
    worktrees: (folder) => gitWorktrees({ directory: join(folder, 'worktrees') }),
  });
  for (const name of ['one', 'two', 'good']) {
    mkdirSync(folderOf(name));
    commitAll(folderOf(name));
  }
  await host.start();
  client = await host.client();
});
afterEach(async () => {
  // Whoever waits for the pipes to open goes on, and finds nothing in them; some come late.
  const pipes = ['one', 'two'].map((name) => openSync(pipeOf(name), constants.O_RDWR | constants.O_NONBLOCK));
  for (const pipe of pipes) closeSync(pipe);
  for (const name of ['one', 'two']) execFileSync('rm', [pipeOf(name)]);
  await host.dispose();
});

it('folders whose git hangs keep nobody else waiting', async () => {
  for (const name of ['one', 'two']) {
    hang(name);
    const workingDirectory = pathToFileURL(folderOf(name)).href;
    for (let asked = 0; asked < 4; asked++)
      client.request('resolveSessionConfig', { channel: ROOT_URI, provider: 'demo', workingDirectory }).catch(() => {});
    await host.session(client, { workingDirectories: [workingDirectory] });
  }
  await vi.waitUntil(() => hangingGits().length >= 4, { timeout: 20_000, interval: 20 });
  const { session, chat } = await host.session(client, { workingDirectories: [pathToFileURL(folderOf('good')).href] });
  const turnId = await runTurn(client, chat, '/write new.txt hello');
  const uri = changesetUri(session, { kind: 'turn', turnId });
  const ready = (state: ChangesetState) => state.status === 'ready';
  if (!ready(await client.subscribe<ChangesetState>(uri)))
    await client.envelope((e) => e.channel === uri && e.action.type === 'changeset/statusChanged');
  const { files } = await client.subscribe<ChangesetState>(uri);
  expect(files).toHaveLength(1);
  expect(hangingGits().length).toBeGreaterThanOrEqual(4);
});
