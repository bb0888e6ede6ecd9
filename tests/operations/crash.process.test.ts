import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ChangesetState, changesetUri, type SessionState, sessionUri } from '@moorage/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
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
});
afterAll(async () => {
  await host.kill();
  for (const path of [data, workspace]) rmSync(path, { recursive: true, force: true });
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
  git('init', '-q', '-b', 'main');
  for (let index = 0; index < FILES; index++) writeFileSync(file(index), `old ${index}\n`);
  git('add', '.');
  git('commit', '-q', '-m', 'start');
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
