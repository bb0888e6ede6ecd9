import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SessionState, sessionUri } from '@moorage/protocol';
import { expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { startHostProcess } from '../support/host-process.js';
import { WireClient } from '../support/wire-client.js';

it('plugins of the configuration file are in every session of the command line', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-cli-')));
  const work = join(folder, 'work');
  mkdirSync(join(folder, 'plugins/one/commands'), { recursive: true });
  mkdirSync(work);
  writeFileSync(join(folder, 'plugins/one/plugin.json'), '{ "name": "one" }');
  writeFileSync(join(folder, 'plugins/one/commands/go.md'), 'Go.');
  writeFileSync(join(folder, 'config.json'), '{ "plugins": ["./plugins/one", "plugins/missing"] }');
  const args = ['--data-dir', join(folder, 'data'), '--root', work, '--config', join(folder, 'config.json')];
  const host = await startHostProcess(args);
  const client = await WireClient.connect(host);
  const channel = sessionUri.format(crypto.randomUUID());
  await client.request('createSession', { channel, provider: 'demo', workingDirectories: [pathToFileURL(work).href] });
  const plugins = async () => {
    const { customizations = [] } = await client.subscribe<SessionState>(channel);
    return customizations.filter(({ type }) => type === 'plugin');
  };
  await expect.poll(plugins, PATIENT).toMatchObject([
    { name: 'one', load: { kind: 'loaded' }, children: [{ type: 'prompt', name: 'go' }] },
    { name: 'missing', load: { kind: 'error' } },
  ]);
  await client.close();
  expect(await host.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});
