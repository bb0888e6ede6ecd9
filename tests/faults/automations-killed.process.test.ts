import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from '@moorage/client';
import { AUTOMATIONS_URI, type AutomationEntry, ROOT_URI } from '@moorage/protocol';
import { expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { removeFolder } from '../support/remove-folder.js';

const automation = 'ahp-automation:/killed';
const definition = {
  title: 'Killed',
  message: { text: '/stream 3\n/wait 2000\n/say done', origin: { kind: 'user' as const } },
  session: { provider: 'demo' },
  enabled: true,
  triggers: [],
};

/** Asks for a run, and resolves in the middle of it: once somebody sees it in this state. */
async function runUntil(client: Client, state: 'pending' | 'running' | 'answering', requestId: string): Promise<void> {
  const automations = await client.subscribe(AUTOMATIONS_URI, { kind: 'automation' });
  const asked = client.request('runAutomation', { channel: AUTOMATIONS_URI, automation, requestId }).catch(() => {});
  const newest = () => automations.confirmed.entries[0]?.runs[0];
  const wanted = state === 'answering' ? 'running' : state;
  const known = newest()?.resource;
  await new Promise<void>((resolve) => {
    automations.subscribe(() => newest()?.resource !== known && newest()?.lifecycle.status === wanted && resolve());
  });
  if (state !== 'answering') return;
  await asked;
  const session = await client.session(newest()?.primarySession ?? '');
  const chat = await client.chat(session.confirmed.defaultChat ?? '');
  await expect.poll(() => chat.confirmed.activeTurn?.responseParts.length ?? 0, PATIENT).toBeGreaterThan(0);
}

it('a host killed with -9 in each state of a run comes back with that run, once, and with one session of it', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-killed-')));
  const start = () =>
    startHostProcess(['--data-dir', join(folder, 'data'), '--root', folder, '--port', '0', '--no-web']);
  let host: HostProcess = await start();
  let client = await connect({ url: host.url, token: host.token });
  const automations = await client.subscribe(AUTOMATIONS_URI, { kind: 'automation' });
  await automations.dispatch({ type: 'automation/createRequested', resource: automation, definition });
  const states = ['pending', 'running', 'answering'] as const;
  for (const [index, state] of states.entries()) {
    await runUntil(client, state, state);
    await host.kill();
    client.close();
    host = await start();
    client = await connect({ url: host.url, token: host.token });
    const after = await client.subscribe(AUTOMATIONS_URI, { kind: 'automation' });
    const entry = (): AutomationEntry | undefined => after.confirmed.entries[0];
    await expect
      .poll(() => entry()?.runs.map(({ lifecycle }) => /ing$/.test(lifecycle.status)), PATIENT)
      .not.toContain(true);
    await client.request('runAutomation', { channel: AUTOMATIONS_URI, automation, requestId: state }); // the answer was lost
    expect(entry()?.runs).toHaveLength(index + 1);
    const { items } = await client.request('listSessions', { channel: ROOT_URI });
    const runs = items.map(({ origin }) => origin?.run).sort();
    expect(runs).toEqual(
      entry()
        ?.runs.map(({ resource }) => resource)
        .sort(),
    );
  }
  client.close();
  await host.stop();
  removeFolder(folder);
});
