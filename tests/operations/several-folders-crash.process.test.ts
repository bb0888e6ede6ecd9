import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { changesetUri, ROOT_URI, type SessionState, sessionUri } from '@moorage/protocol';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { commitAll, gitOutput } from '../support/repository.js';
import { WireClient } from '../support/wire-client.js';

/** Enough that there is a middle in which to die. */
const FILES = 150;
const FOLDERS = ['api', 'web'] as const;

let data: string;
let root: string;
let host: HostProcess;
beforeAll(() => {
  data = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-several-')));
  root = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-several-root-')));
  for (const name of FOLDERS) {
    mkdirSync(join(root, name));
    write(name, 'old');
    commitAll(join(root, name));
  }
});
afterEach(() => host.kill());
afterAll(() => {
  for (const path of [data, root]) rmSync(path, { recursive: true, force: true });
});

const file = (name: string, index: number) => join(root, name, `file-${index}.txt`);
function write(name: string, text: string): void {
  for (let index = 0; index < FILES; index++) writeFileSync(file(name, index), `${text} ${index}\n`);
}
const reverted = (name: string) =>
  Array.from({ length: FILES }, (_, index) => readFileSync(file(name, index), 'utf8') === `old ${index}\n`).filter(
    Boolean,
  ).length;
const staging = (name: string) => readdirSync(join(root, name)).filter((one) => one.startsWith('.moorage-'));
const folderUri = (name: string) => pathToFileURL(join(root, name)).href;

async function start(): Promise<WireClient> {
  host = await startHostProcess(['--data-dir', data, '--root', root]);
  return WireClient.connect({ url: host.url, token: host.token });
}

async function seen(condition: () => boolean, isOver: () => boolean): Promise<void> {
  while (!condition() && !isOver()) await new Promise((resolve) => setImmediate(resolve));
}

it('an operation on two repositories is done in both or in none when the host is killed in the middle', async () => {
  let client = await start();
  const session = sessionUri.format(crypto.randomUUID());
  const workingDirectories = FOLDERS.map(folderUri);
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories });
  const state = await client.subscribe<SessionState>(session);
  if (!state.changesets) await client.action(session, 'session/changesetsChanged');
  const channel = changesetUri(session, { kind: 'uncommitted' });
  const moments: [string, () => boolean][] = [
    ['the first folder is begun', () => staging('api').length > 0],
    ['some of the first folder is done', () => reverted('api') > FILES / 3],
    ['the first folder is done', () => reverted('api') === FILES],
    ['the second folder is begun', () => staging('web').length > 0],
    ['some of the second folder is done', () => reverted('web') > FILES / 3],
  ];
  for (const [name, moment] of moments) {
    for (const folder of FOLDERS) write(folder, 'new');
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
    client = await start();
    await client.subscribe(session);
    // What was cut off is settled in the background; requests wait for it, each folder's for its own.
    await expect
      .poll(
        async () => {
          for (const folder of workingDirectories)
            await client.refused('moorage/undoHistoryStep', { channel: ROOT_URI, folder, step: 'nothing' });
          return FOLDERS.map(reverted).join();
        },
        { timeout: 60_000, interval: 100 },
      )
      .toMatch(/^(0,0|150,150)$/);
    for (const folder of FOLDERS) {
      expect(staging(folder), name).toEqual([]);
      expect(gitOutput(join(root, folder), 'fsck', '--no-dangling'), name).toBe('');
    }
  }
  await client.close();
});
