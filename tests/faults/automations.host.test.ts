import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDamagedStore, openSqliteStore, recoverStore, type Store } from '@moorage/host';
import { AUTOMATIONS_URI, type ChatState, ROOT_URI, type SessionState } from '@moorage/protocol';
import { expect, it } from 'vitest';
import { created, HOUR, MINUTE, schedule, shown, statuses, when } from '../automations/rig.js';
import { ManualClock } from '../support/manual-clock.js';
import { TestHost } from '../support/test-host.js';

/** What a host has on disk after each of its commits: each is a moment at which it may be killed. */
class Moments {
  readonly folder = mkdtempSync(join(tmpdir(), 'moorage-moments-'));
  count = 0;
  #from: (() => string) | undefined;

  /** From now on every commit is a moment; the first is what there is already. */
  begin(from: () => string): void {
    this.#from = from;
    this.#keep();
  }

  end(): void {
    this.#from = undefined;
  }

  watched(store: Store): Store {
    const commit: Store['commit'] = (batch) => {
      store.commit(batch);
      this.#keep();
    };
    return Object.create(store, { commit: { value: commit } }) as Store;
  }

  of(index: number): string {
    return join(this.folder, String(index));
  }

  #keep(): void {
    if (this.#from) cpSync(this.#from(), this.of(this.count++), { recursive: true });
  }
}

/** A host on what another one left behind, some time later. */
async function hostAt(folder: string, workspace: string, clock: ManualClock): Promise<TestHost> {
  const host = new TestHost({ clock, workspace });
  rmSync(host.folder, { recursive: true });
  cpSync(folder, host.folder, { recursive: true });
  await host.start();
  return host;
}

it.each(['runOnce', 'skip'] as const)(
  'a host that is killed after any of its commits has one session for each time of a schedule (%s)',
  async (policy) => {
    const moments = new Moments();
    const clock = new ManualClock();
    const host = await TestHost.start({ clock, store: (store) => moments.watched(store) });
    const client = await host.client();
    const automation = await created(client, { triggers: [schedule('0 * * * *', policy)] });
    moments.begin(() => host.folder);
    clock.advance(HOUR);
    await when(client, automation, (entry) => statuses(entry)[0] === 'completed');
    moments.end();

    const found = new Set<string>();
    for (let index = 0; index < moments.count; index++) {
      const later = new ManualClock();
      later.advance(HOUR + MINUTE / 2);
      const again = await hostAt(moments.of(index), host.workspace, later);
      const after = await again.client();
      const entry = await when(
        after,
        automation,
        (it) => statuses(it).length === 1 && !/ing$/.test(statuses(it)[0] ?? '') && it,
      );
      const [run] = entry.runs;
      const { items } = await after.request('listSessions', { channel: ROOT_URI });
      expect(items.map(({ resource, origin }) => [resource, origin?.run])).toEqual([
        [run?.primarySession, run?.resource],
      ]);
      const { defaultChat = '' } = await after.subscribe<SessionState>(run?.primarySession ?? '');
      expect((await after.subscribe<ChatState>(defaultChat)).turns).toHaveLength(1);
      const origin = { scheduledFor: '2030-01-01T01:00:00.000Z' };
      expect([entry.runCount, entry.nextRunAt, run?.origin]).toEqual([
        1,
        '2030-01-01T02:00:00.000Z',
        expect.objectContaining(origin),
      ]);
      const error = run?.lifecycle.status === 'failed' ? run.lifecycle.error.errorType : '';
      found.add(`${run?.lifecycle.status} ${error}`.trim());
      later.advance(HOUR);
      await when(after, automation, (it) => statuses(it)[0] === 'completed' && it.runCount === 2);
      await again.dispose();
    }
    // Before its turn began a run is completed as if nothing had happened; a turn that was cut off is shown as such.
    expect([...found].sort()).toEqual(['completed', 'failed hostRestarted']);
    await host.dispose();
    rmSync(moments.folder, { recursive: true });
  },
);

it('a host that is killed after any commit of a request has done it or was never asked', async () => {
  const moments = new Moments();
  const host = await TestHost.start({ store: (store) => moments.watched(store) });
  const client = await host.client();
  moments.begin(() => host.folder);
  const automation = await created(client);
  await client.act(AUTOMATIONS_URI, {
    type: 'automation/updateRequested',
    resource: automation,
    changes: { title: 'Other' },
  });
  const params = { channel: AUTOMATIONS_URI, automation, requestId: 'one' } as const;
  const { resource } = await client.request('runAutomation', params);
  await when(client, automation, (entry) => statuses(entry)[0] === 'completed');
  moments.end();
  for (let index = 1; index < moments.count; index++) {
    const again = await hostAt(moments.of(index), host.workspace, new ManualClock());
    const after = await again.client();
    const asked = (await after.subscribe<{ entries: readonly { resource: string }[] }>(AUTOMATIONS_URI)).entries;
    if (asked.length > 0 && (await shown(after, automation)).definition.title === 'Other') {
      await after.request('runAutomation', params);
      const entry = await when(after, automation, (it) => !statuses(it).some((status) => /ing$/.test(status)) && it);
      expect(entry.runs).toHaveLength(1);
      const isNew = entry.runs[0]?.resource !== resource;
      expect(isNew).toBe(entry.runs[0]?.lifecycle.createdAt.startsWith('2030')); // asked for after the crash
    }
    await again.dispose();
  }
  await host.dispose();
  rmSync(moments.folder, { recursive: true });
});

it('automations, their history and whose they are survive a recovery', async () => {
  const host = await TestHost.start();
  const client = await host.client();
  const automation = await created(client, { triggers: [schedule('0 9 * * *')] });
  await client.request('runAutomation', { channel: AUTOMATIONS_URI, automation, requestId: 'one' });
  const before = await when(client, automation, (entry) => statuses(entry)[0] === 'completed' && entry);
  await host.stop();
  const file = join(host.folder, 'store.sqlite');
  const damaged = openDamagedStore(file);
  const recovered = openSqliteStore({ file: `${file}.new` });
  expect(recoverStore(damaged, recovered, Date.now())).toMatchObject({ sessions: 1, losses: [] });
  damaged.close();
  recovered.close();
  rmSync(file);
  renameSync(`${file}.new`, file);
  await host.start();
  const after = await host.client();
  expect(await shown(after, automation)).toEqual(before);
  const again = { channel: AUTOMATIONS_URI, automation, requestId: 'one' } as const;
  expect(await after.request('runAutomation', again)).toEqual({ resource: before.runs[0]?.resource });
  await host.dispose();
});
