import { mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ChangesetState, changesetUri, ROOT_URI, type SessionState, sessionUri } from '@moorage/protocol';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { removeFolder } from '../support/remove-folder.js';
import { gitOutput } from '../support/repository.js';
import { WireClient } from '../support/wire-client.js';

/** Enough that there is a middle in which to die. */
const FILES = 300;

let data: string;
let workspace: string;
let host: HostProcess;
beforeAll(() => {
  data = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-operations-')));
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-operations-workspace-')));
  git('init', '-q', '-b', 'main');
  for (let index = 0; index < FILES; index++) writeFileSync(file(index), `old ${index}\n`);
  git('add', '.');
  git('commit', '-q', '-m', 'start');
});
afterEach(() => host.kill());
afterAll(async () => {
  for (const path of [data, workspace]) await removeFolder(path);
});

const git = (...args: string[]) => gitOutput(workspace, ...args);
const file = (index: number) => join(workspace, `file-${index}.txt`);
const isOld = (index: number) => readFileSync(file(index), 'utf8') === `old ${index}\n`;
const reverted = () => Array.from({ length: FILES }, (_, index) => isOld(index)).filter(Boolean).length;
const staging = () => readdirSync(workspace).filter((name) => name.startsWith('.moorage-'));

async function start(): Promise<WireClient> {
  host = await startHostProcess(['--data-dir', data, '--root', workspace]);
  return WireClient.connect({ url: host.url, token: host.token });
}

/** Waits for something on disk, looking as often as the process lets it. */
async function seen(condition: () => boolean, isOver: () => boolean): Promise<void> {
  while (!condition() && !isOver()) await new Promise((resolve) => setImmediate(resolve));
}

it('is finished or put back when the host is killed in the middle, and says so', async () => {
  let client = await start();
  const session = sessionUri.format(crypto.randomUUID());
  await client.request('createSession', {
    channel: session,
    provider: 'demo',
    workingDirectories: [pathToFileURL(workspace).href],
  });
  const state = await client.subscribe<SessionState>(session);
  if (!state.changesets) await client.action(session, 'session/changesetsChanged');
  const channel = changesetUri(session, { kind: 'uncommitted' });

  const moments: [string, () => boolean][] = [
    ['the new files are being written', () => staging().length > 0],
    ['some files are exchanged', () => reverted() > FILES / 10],
    ['most files are exchanged', () => reverted() > (FILES * 3) / 4],
  ];
  for (const [name, moment] of moments) {
    for (let index = 0; index < FILES; index++) writeFileSync(file(index), `new ${index}\n`);
    let over = false;
    const answer = client.peer.request('invokeChangesetOperation', { channel, operationId: 'revert' }).then(
      () => 'done',
      () => 'cut off',
    );
    void answer.then(() => {
      over = true;
    });
    await seen(moment, () => over);
    await host.kill();
    await client.closed;
    const wasDone = (await answer) === 'done';
    client = await start();
    const watched = await client.subscribe<ChangesetState>(channel);
    const operations =
      watched.operations ?? (await client.action(channel, 'changeset/operationsChanged')).operations ?? [];
    // An operation waits for what was cut off before it.
    await client.refused('invokeChangesetOperation', { channel, operationId: 'no such operation' });
    const count = reverted();
    expect([0, FILES], name).toContain(count);
    expect(staging(), name).toEqual([]);
    expect(git('fsck', '--no-dangling')).toBe('');
    if (!wasDone) {
      const shown = await until(client, channel, (one) => JSON.stringify(one.operations).includes('cut off'));
      const revert = shown.operations?.find(({ id }) => id === 'revert');
      expect(JSON.stringify([revert, operations]), name).toContain(count === 0 ? 'put back' : 'cut off');
    }
    if (count === FILES) {
      await client.request('invokeChangesetOperation', { channel, operationId: 'undo' });
      expect(reverted(), name).toBe(0);
    }
  }
  await client.close();
});

it('keeps the history true when the host is killed in the middle of an undo by step, or a redo', async () => {
  let client = await start();
  const session = sessionUri.format(crypto.randomUUID());
  const folder = pathToFileURL(workspace).href;
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories: [folder] });
  const state = await client.subscribe<SessionState>(session);
  if (!state.changesets) await client.action(session, 'session/changesetsChanged');
  for (let index = 0; index < FILES; index++) writeFileSync(file(index), `new ${index}\n`);
  const channel = changesetUri(session, { kind: 'uncommitted' });
  await client.request('invokeChangesetOperation', { channel, operationId: 'revert' });
  const { items } = await client.request('moorage/listHistory', { channel: ROOT_URI, folder, limit: 1 });
  const step = items[0]?.id ?? '';
  const isUndone = async () => {
    // A request that changes something waits for what was cut off before it.
    await client.refused('moorage/undoHistoryStep', { channel: ROOT_URI, folder, step: 'nothing' });
    const { items: steps } = await client.request('moorage/listHistory', { channel: ROOT_URI, folder });
    return steps.find(({ id }) => id === step)?.undone;
  };
  for (const share of [0, 0.1, 0.5, 0.9]) {
    const [before, method] = reverted() === FILES ? [FILES, 'moorage/undoHistoryStep'] : [0, 'moorage/redoHistoryStep'];
    const exchanged = () => Math.abs(reverted() - before) / FILES;
    let over = false;
    const answer = client.peer.request(method, { channel: ROOT_URI, folder, step }).catch(() => undefined);
    void answer.then(() => {
      over = true;
    });
    await seen(
      () => staging().length > 0 && exchanged() >= share,
      () => over,
    );
    await host.kill();
    await client.closed;
    client = await start();
    const undone = await isUndone();
    expect([0, FILES], `killed at ${share}`).toContain(reverted());
    expect(undone, `killed at ${share}`).toBe(reverted() === 0 ? 'all' : 'none');
    expect(staging()).toEqual([]);
  }
  await client.close();
});

async function until(
  client: WireClient,
  channel: string,
  isReady: (state: ChangesetState) => boolean,
): Promise<ChangesetState> {
  for (;;) {
    const state = await client.subscribe<ChangesetState>(channel);
    if (isReady(state)) return state;
    const seenSoFar = client.envelopes.length;
    await client.envelope(() => client.envelopes.length > seenSoFar);
  }
}
