import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RootState, type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chatState, textOf, turn } from '../support/actions.js';
import { FakeModel } from '../support/fake-model.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { removeFolder } from '../support/remove-folder.js';
import { WireClient } from '../support/wire-client.js';

let folder: string;
let model: FakeModel;
let host: HostProcess | undefined;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-model-')));
  model = await FakeModel.start();
});
afterEach(async () => {
  await host?.kill();
  await model.close();
  await removeFolder(folder);
});

it('serves a model of the configuration file from the real command line, search thread included', async () => {
  const work = join(folder, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'a.txt'), 'needle\n');
  const settings = {
    type: 'model',
    displayName: 'Local',
    api: 'anthropic',
    baseURL: model.baseURL,
    models: ['m1', 'm2'],
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ agents: { local: settings } }));
  const data = ['--data-dir', join(folder, 'data'), '--root', work];
  host = await startHostProcess([...data, '--config', join(folder, 'config.json')]);
  const client = await WireClient.connect(host);
  const { agents } = await client.subscribe<RootState>('ahp-root://');
  expect(agents.map(({ provider, displayName }) => [provider, displayName])).toContainEqual(['local', 'Local']);
  expect(agents.map(({ provider }) => provider)).not.toContain('model');
  const session = sessionUri.format(crypto.randomUUID());
  const workingDirectory = pathToFileURL(work).href;
  await client.request('createSession', {
    channel: session,
    provider: 'local',
    workingDirectories: [workingDirectory],
  });
  const state = await client.subscribe<SessionState>(session);
  if (state.lifecycle === 'creating') await client.action(session, 'session/ready');
  const chat = state.defaultChat ?? '';
  await client.subscribe(chat);
  model.queue({ calls: [{ name: 'grep', input: { pattern: 'need' } }] }, { text: ['Found.'] });
  await turn(client, chat, 'find it');
  expect(model.requests.at(-1)).toMatchObject({ model: 'm1', results: ['a.txt:1:needle'] });
  expect(textOf((await chatState(client, chat)).turns[0])).toBe('Found.');
  await client.close();
  expect(await host.stop()).toBe(0);
});
