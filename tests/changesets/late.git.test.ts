import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nodeWatcher, type Workspace, type Workspaces } from '@moorage/host';
import { type ChangesetState, changesetUri, type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { FailingStore, holds } from '../support/failing-store.js';
import { HeldLook, instead } from '../support/held-look.js';
import { ManualClock } from '../support/manual-clock.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let host: TestHost;
let expectErrors: RegExp | undefined;
afterEach(async () => {
  await host.dispose({ ...(expectErrors && { expectErrors }) });
  expectErrors = undefined;
});

/** Workspaces some of whose methods are others. */
function where(methods: (workspace: Workspace) => Partial<Workspace>): (folder: string) => Workspaces {
  return (folder) => {
    const real = workspacesIn(folder);
    const others = new Map<Workspace, Workspace>(); // the same one for the same folder
    return instead(real, {
      open: (of) => {
        const workspace = real.open(of);
        const known = others.get(workspace) ?? instead(workspace, methods(workspace));
        others.set(workspace, known);
        return known;
      },
    });
  };
}

async function catalogueOf(client: WireClient, session: string): Promise<string[]> {
  const { changesets } = await client.subscribe<SessionState>(session);
  const offered = changesets ?? (await client.action(session, 'session/changesetsChanged')).changesets;
  return (offered ?? []).map(({ changeKind }) => changeKind ?? '');
}

const uncommitted = (session: string) => changesetUri(sessionUri.parse(session) ?? '', { kind: 'uncommitted' });

describe('the changesets of a session are offered', () => {
  it('once the folder can be looked at', async () => {
    let failures = 0;
    let isBroken = true;
    const workspaces = where((workspace) => ({
      checkpoint: async (options) => {
        if (!isBroken) return workspace.checkpoint(options);
        failures++;
        throw new Error('says the test');
      },
    }));
    const clock = new ManualClock();
    host = await TestHost.start({ workspaces, clock });
    const client = await host.client();
    const { session } = await host.session(client);
    for (const [count, pause] of [2_000, 4_000, 8_000].entries()) {
      await expect.poll(() => failures, PATIENT).toBe(count + 1);
      await client.sync();
      clock.advance(pause);
    }
    await expect.poll(() => failures, PATIENT).toBe(4);
    expect((await client.subscribe<SessionState>(session)).changesets).toBeUndefined();
    expect(host.logged.filter((line) => line.startsWith('changeset.record-failed'))).toHaveLength(4);
    isBroken = false;
    await client.sync();
    clock.advance(16_000);
    expect(await catalogueOf(client, session)).toContain('uncommitted');
  });

  it('by the next life of a host that was killed before it had looked', async () => {
    const look = new HeldLook();
    host = await TestHost.start({ workspaces: look.workspaces, clock: look.clock });
    const client = await host.client();
    const { session } = await host.session(client);
    const next = await host.afterCrash({ workspaces: workspacesIn });
    expect(await catalogueOf(await next.client(), session)).toContain('uncommitted');
    await next.dispose();
    look.release();
  });

  it('once that can be stored', async () => {
    const store = new FailingStore();
    const clock = new ManualClock();
    expectErrors = /^store\.commit-failed/;
    host = await TestHost.start({ workspaces: workspacesIn, store: store.wrap, clock });
    store.fail(holds('session/changesetsChanged'));
    const client = await host.client();
    const { session } = await host.session(client);
    await expect.poll(() => store.failures, PATIENT).toBe(1);
    store.recover();
    clock.advance(1_000);
    expect(await catalogueOf(client, session)).toContain('uncommitted');
  });
});

describe('an open changeset', () => {
  it('shows what changed before its folder was watched', async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const real = nodeWatcher();
    const watcher: typeof real = {
      watch: async (...args) => {
        await begun;
        return real.watch(...args);
      },
    };
    host = await TestHost.start({ workspaces: (folder) => workspacesIn(folder, { watcher }) });
    const client = await host.client();
    const { session } = await host.session(client);
    await catalogueOf(client, session);
    const uri = uncommitted(session);
    await client.subscribe(uri);
    await client.until(
      () => client.actionsOn(uri).some((action) => 'status' in action && action.status === 'ready') || undefined,
      'the first look',
    );
    writeFileSync(join(host.workspace, 'untold.txt'), 'new');
    begin();
    expect(basename((await client.action(uri, 'changeset/fileSet')).file.id)).toBe('untold.txt');
  });

  it('that fails for a reason of the host says so, and the log says why, once', async () => {
    let isBroken = false;
    let failures = 0;
    const workspaces = where((workspace) => ({
      reference: async (...args) => {
        if (!isBroken) return workspace.reference(...args);
        failures++;
        throw new TypeError('a defect, says the test');
      },
    }));
    expectErrors = /^changeset\.compute-failed/;
    host = await TestHost.start({ workspaces });
    const client = await host.client();
    const { session } = await host.session(client);
    await catalogueOf(client, session);
    const uri = uncommitted(session);
    await client.subscribe(uri);
    await client.action(uri, 'changeset/contentChanged');
    const edit = (name: string) => writeFileSync(join(host.workspace, name), name);
    isBroken = true;
    for (const name of ['a', 'b', 'c']) {
      const before = failures;
      edit(name);
      await expect.poll(() => failures, PATIENT).toBeGreaterThan(before);
    }
    await client.sync();
    const { status, error } = await client.subscribe<ChangesetState>(uri);
    expect([status, error?.message]).toEqual(['error', expect.stringContaining('log')]);
    const logged = host.logged.filter((line) => line.startsWith('changeset.compute-failed'));
    expect(logged).toEqual([expect.stringContaining('a defect, says the test')]);
    expect(error?.message).not.toContain('defect');
    isBroken = false;
    edit('d');
    const { files } = await client.action(uri, 'changeset/contentChanged', 2);
    expect(files.map(({ id }) => basename(id))).toEqual(['a', 'b', 'c', 'd']);
  });
});
