import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT_URI, type SessionState, sessionUri } from '@moorage/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chatState, turn } from '../support/actions.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { removeFolder } from '../support/remove-folder.js';
import { WireClient } from '../support/wire-client.js';

/** How often the host is killed, each time a little later after it was asked. */
const ROUNDS = 6;

let folder: string;
let workspace: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-restore-')));
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-restore-workspace-')));
});
afterAll(async () => {
  for (const path of [folder, workspace]) await removeFolder(path);
});

const live = async (): Promise<{ host: HostProcess; client: WireClient }> => {
  const host = await startHostProcess(['--data-dir', folder, '--root', workspace, '--no-web']);
  return { host, client: await WireClient.connect({ ...host, subscriptions: [ROOT_URI] }) };
};

it('a host that is killed while it restores a session has restored all of it, or nothing', {
  timeout: 120_000,
}, async () => {
  const session = sessionUri.format(crypto.randomUUID());
  let { host, client } = await live();
  const workingDirectory = pathToFileURL(workspace).href;
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories: [workingDirectory] });
  const { defaultChat = '' } = await client.subscribe<SessionState>(session);
  await client.subscribe(defaultChat);
  await turn(client, defaultChat, '/say hello');
  for (let round = 0; round < ROUNDS; round++) {
    await client.request('disposeSession', { channel: session });
    const answered = client.peer.request('restoreSession', { channel: session }).then(
      () => true,
      () => false,
    );
    for (let wait = 0; wait < round; wait++) await new Promise((resolve) => setImmediate(resolve));
    await host.kill();
    const wasTold = await answered;
    ({ host, client } = await live());
    const { items } = await client.request('listSessions', { channel: ROOT_URI });
    const removed = (await client.request('listDisposedSessions', { channel: ROOT_URI })).items;
    expect([...items, ...removed.map(({ summary }) => summary)].map(({ resource }) => resource)).toEqual([session]);
    if (wasTold) expect(items, 'what a client was told holds').toHaveLength(1);
    if (removed.length > 0) await client.request('restoreSession', { channel: session });
    const state = await client.subscribe<SessionState>(session);
    expect([state.chats.map(({ resource }) => resource), state.defaultChat]).toEqual([[defaultChat], defaultChat]);
    expect((await chatState(client, defaultChat)).turns).toHaveLength(1);
  }
  expect(await host.stop()).toBe(0);
});
