import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspaces } from '@moorage/host';
import { type ChangesetState, changesetUri } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../support/manual-clock.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';
import { WorktreeBench } from '../support/worktree-bench.js';

const DAY_MS = 24 * 3_600_000;

let clock: ManualClock;
let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  clock = new ManualClock();
  host = new TestHost({
    clock,
    workspaces: (folder) => counted(workspacesIn(folder)),
  });
  await host.start();
  client = await host.client();
});
afterEach(() => host.dispose());

/** How often the host has been through all that it keeps: letting go of whole folders is the last step of that. */
let looks = 0;

function counted(workspaces: Workspaces): Workspaces {
  return {
    ...workspaces,
    retainOnly: (...wanted) => workspaces.retainOnly(...wanted).finally(() => looks++),
  };
}

/** A session in a folder with one turn that wrote a file; gives the content that the turn's changeset shows. */
async function work(turnId: string): Promise<{ session: string; content: string }> {
  const { session, chat } = await host.session(client);
  const message = userMessage(`/auto on\n/write ${turnId}.txt written by ${turnId}`);
  client.dispatch(chat, { type: 'chat/turnStarted', startedAt: '2026-01-01T00:00:00.000Z', turnId, message });
  await client.envelope((e) => e.action.type === 'chat/turnComplete' && e.action.turnId === turnId);
  const uri = changesetUri(session, { kind: 'turn', turnId });
  await client.subscribe(uri);
  const find = () =>
    client.actionsOn(uri).find((action) => action.type === 'changeset/statusChanged' && action.status === 'ready');
  await client.until(find, 'the changes');
  const { files } = await client.subscribe<ChangesetState>(uri);
  client.peer.notify('unsubscribe', { channel: uri });
  return { session, content: files[0]?.edit.after?.content.uri ?? '' };
}

const read = async (uri: string) => (await client.request('resourceRead', { channel: 'ahp-root://', uri })).data;

/** What is kept of folders; other things lie beside it. */
const stores = () => readdirSync(join(host.folder, 'workspaces')).filter((name) => /^[0-9a-f]{24}$/.test(name)).length;

it('what a session shows stays, also when its folder is away for a while', async () => {
  const { content } = await work('one');
  await host.stop();
  renameSync(host.workspace, `${host.workspace}-away`);
  mkdirSync(host.workspace); // the root must be there, but the folder in it is another one now
  renameSync(`${host.workspace}-away`, join(host.workspace, 'away'));
  await host.start();
  clock.advance(31 * DAY_MS);
  client = await host.client();
  await client.sync();
  expect(await read(content)).toContain('written by one');
  expect(stores()).toBe(1);
});

it('nothing is kept of a session that was disposed a month ago', async () => {
  const { session, content } = await work('one');
  await client.request('disposeSession', { channel: session });
  expect(await read(content)).toContain('written by one');
  await host.restart();
  clock.advance(DAY_MS);
  client = await host.client();
  expect(await read(content), 'it can still be restored').toContain('written by one');
  await host.stop();
  clock.advance(31 * DAY_MS);
  await host.start();
  for (let times = 0; times < 6; times++) {
    const before = looks;
    clock.advance(DAY_MS / 4); // it has to run on for a day before it is believed
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(before);
  }
  await host.restart(); // a folder that this life has looked at stays until the next one
  clock.advance(DAY_MS / 4);
  await expect.poll(stores, { timeout: 20_000 }).toBe(0);
});

it('a work tree that was removed does not keep what other folders left from being let go', async () => {
  const bench = new WorktreeBench({ clock });
  bench.makeRepository();
  await bench.host.start();
  const user = await bench.host.client();
  const kept = () => readdirSync(join(bench.host.folder, 'workspaces'));
  const made = await bench.session(user, { worktreeOnEnd: 'remove-if-clean' });
  await user.request('disposeSession', { channel: made.session });
  await expect.poll(() => existsSync(made.path), { timeout: 20_000 }).toBe(false);
  mkdirSync(join(bench.host.folder, 'workspaces', '0'.repeat(24))); // of a folder that nobody uses any more
  utimesSync(join(bench.host.folder, 'workspaces', '0'.repeat(24)), 1, 1);
  await bench.host.restart();
  clock.advance(DAY_MS);
  await expect.poll(kept, { timeout: 20_000 }).not.toContain('0'.repeat(24));
  expect(kept().length).toBeGreaterThan(0);
  await bench.host.dispose();
});
