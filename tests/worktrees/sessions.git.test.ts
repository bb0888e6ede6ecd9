import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gitWorktrees } from '@moorage/host';
import {
  type ChangesetState,
  changesetUri,
  type ListSessionsResult,
  ROOT_URI,
  type SessionState,
  sessionUri,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitIn } from '../support/repository.js';
import type { WireClient } from '../support/wire-client.js';
import { runTurn, WorktreeBench } from '../support/worktree-bench.js';

let bench: WorktreeBench;
let client: WireClient;
beforeEach(async () => {
  bench = new WorktreeBench();
  bench.makeRepository();
  await bench.host.start();
  client = await bench.host.client({ subscriptions: [ROOT_URI] });
});
afterEach(() => bench.host.dispose());

describe('a session in a work tree', () => {
  it('works in it, on a branch of its own, while its project stays where it was', async () => {
    const { session, chat, state, path } = await bench.session(client);
    expect(state.project).toMatchObject({ uri: bench.host.workspaceUri });
    expect(path.startsWith(join(bench.host.folder, 'worktrees'))).toBe(true);
    const id = sessionUri.parse(session) ?? '';
    const branch = `moorage/${id.slice(0, 8)}`;
    expect(state.config?.values).toEqual({
      isolation: 'worktree',
      baseBranch: 'main',
      branchName: branch,
      worktreeOnEnd: 'keep',
    });
    expect(gitIn(path, 'symbolic-ref', '--short', 'HEAD')).toBe(branch);
    expect(gitIn(path, 'status', '--porcelain')).toBe('');
    await runTurn(client, chat, '/append README.md two\\n\n/run touch by-terminal');
    expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('one\ntwo\n');
    expect(existsSync(join(path, 'by-terminal'))).toBe(true);
    expect(bench.git('status', '--porcelain')).toBe('');
    expect(bench.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  });

  it('is seen to be made, by two clients', async () => {
    const other = await bench.host.client({ subscriptions: [ROOT_URI] });
    const channel = bench.host.newSessionUri();
    const params = { channel, provider: 'demo', workingDirectories: [bench.host.workspaceUri] };
    const created = client.request('createSession', { ...params, config: { isolation: 'worktree' } });
    const first = await client.subscribe<SessionState>(channel); // in one go with the creation (B-103)
    await created;
    expect(first.lifecycle).toBe('creating');
    await client.action(channel, 'session/ready');
    const types = client.actionsOn(channel).map((action) => action.type);
    expect(types).toContain('session/activityChanged');
    expect(types.lastIndexOf('session/configChanged')).toBeLessThan(types.indexOf('session/ready'));
    await other.notification('root/sessionSummaryChanged', ({ changes }) =>
      String(changes.activity ?? '').startsWith('Creating the work tree'),
    );
    const state = await other.subscribe<SessionState>(channel);
    expect(state.lifecycle).toBe('ready');
    expect(state.activity).toBeUndefined();
  });

  it('starts where it was told, under the name it was given', async () => {
    const own = await bench.session(client, { baseBranch: 'develop', branchName: 'feature/one' });
    expect(existsSync(join(own.path, 'develop.txt'))).toBe(true);
    expect(gitIn(own.path, 'symbolic-ref', '--short', 'HEAD')).toBe('feature/one');
    expect(own.state.config?.values).toMatchObject({ baseBranch: 'develop', branchName: 'feature/one' });
    const remote = await bench.session(client, { baseBranch: 'origin/remote-only' });
    expect(existsSync(join(remote.path, 'develop.txt'))).toBe(true);
    const upstream = gitIn(remote.path, 'for-each-ref', '--format=%(upstream)', 'refs/heads/moorage');
    expect(upstream).toBe('');
  });

  it('finds a free name, also where "moorage" is a branch', async () => {
    const channel = sessionUri.format('same-name');
    bench.git('branch', 'moorage/same-nam');
    const first = await bench.session(client, {}, { channel });
    expect(first.state.config?.values.branchName ?? '').not.toBe('moorage/same-nam');
    bench.git('branch', '-D', 'moorage/same-nam');
    gitIn(first.path, 'switch', '--quiet', '--detach');
    for (const name of bench.traces().branches.filter((it) => it.startsWith('moorage/')))
      bench.git('branch', '-D', name);
    bench.git('branch', 'moorage');
    const second = await bench.session(client);
    expect(second.state.config?.values.branchName).toMatch(/^moorage-/);
  });

  it('gets one when many are created at the same moment', async () => {
    const uris = Array.from({ length: 6 }, (_, at) => `ahp-session:/together-${at}`);
    const made = await Promise.all(uris.map((channel) => bench.session(client, {}, { channel })));
    const branches = made.map(({ state }) => state.config?.values.branchName);
    expect(new Set(branches).size).toBe(uris.length);
    expect(bench.traces().worktrees).toHaveLength(uris.length + 1);
  });

  it('works in the same folder of the repository as was asked for', async () => {
    const workingDirectory = pathToFileURL(join(bench.folder, 'packages', 'app')).href;
    const { path, chat } = await bench.session(client, {}, { workingDirectories: [workingDirectory] });
    expect(path.endsWith('/packages/app')).toBe(true);
    await runTurn(client, chat, '/append index.js more\\n');
    expect(readFileSync(join(path, 'index.js'), 'utf8')).toBe('app\nmore\n');
  });

  it('shows its changes, with operations, files, terminals and completions as anywhere else', async () => {
    const { session, chat, path } = await bench.session(client, { baseBranch: 'develop' });
    await runTurn(client, chat, '/write new.txt hello\\n');
    for (const kind of ['session', 'uncommitted', 'branch'] as const) {
      const uri = changesetUri(session, { kind });
      const state = await client.subscribe<ChangesetState>(uri);
      if (state.status !== 'ready')
        await client.envelope(
          (e) => e.channel === uri && e.action.type === 'changeset/statusChanged' && e.action.status === 'ready',
        );
      const now = await client.subscribe<ChangesetState>(uri);
      expect(now.files.map((file) => fileURLToPath(file.id))).toEqual([join(path, 'new.txt')]);
    }
    const entry = (await client.subscribe<SessionState>(session)).changesets?.find((it) => it.changeKind === 'branch');
    expect(entry?.label).toContain('develop');
    const read = await client.request('resourceRead', {
      channel: ROOT_URI,
      uri: pathToFileURL(join(path, 'new.txt')).href,
    });
    expect(read.data).toBe('hello\n');
    const channel = changesetUri(session, { kind: 'uncommitted' });
    await client.request('invokeChangesetOperation', { channel, operationId: 'revert' });
    expect(existsSync(join(path, 'new.txt'))).toBe(false);
    const terminal = 'ahp-terminal:/in-the-work-tree';
    const claim = { kind: 'session' as const, session, chat };
    await client.request('createTerminal', { channel: terminal, claim });
    const { cwd } = await client.subscribe<{ cwd?: string }>(terminal);
    expect(realpathSync(fileURLToPath(cwd ?? ''))).toBe(path);
  });

  it('is there after a restart', async () => {
    const { session, path } = await bench.session(client);
    await bench.host.restart();
    client = await bench.host.client();
    const state = await client.subscribe<SessionState>(session);
    expect(state.lifecycle).toBe('ready');
    expect(fileURLToPath(state.workingDirectories?.[0] ?? '')).toBe(path);
    await client.subscribe(state.defaultChat ?? '');
    await runTurn(client, state.defaultChat ?? '', '/write again.txt x');
    expect(existsSync(join(path, 'again.txt'))).toBe(true);
  });

  it('can be begun with a turn before it is made (OQ-38)', async () => {
    const channel = bench.host.newSessionUri();
    const params = { channel, provider: 'demo', workingDirectories: [bench.host.workspaceUri] };
    await client.request('createSession', { ...params, config: { isolation: 'worktree' } });
    const { defaultChat = '', workingDirectories = [] } = await client.subscribe<SessionState>(channel);
    await client.subscribe(defaultChat);
    await runTurn(client, defaultChat, '/write early.txt x');
    expect(existsSync(join(fileURLToPath(workingDirectories[0] ?? ''), 'early.txt'))).toBe(true);
  });
});

describe('a work tree that cannot be made', () => {
  it.each([
    [{ baseBranch: 'nowhere' }, 'There is no branch "nowhere"'],
    [{ branchName: 'develop' }, 'already exists'],
    [{ branchName: 'bad..name' }, 'cannot be the name'],
  ])('says why and leaves nothing: %j', async (config, reason) => {
    const before = bench.traces();
    const error = await bench.failing(client, config);
    expect(error.errorType).toBe('worktreeFailed');
    expect(error.message).toContain(reason);
    expect(bench.traces()).toEqual(before);
  });

  it('of a repository without commits, a folder that is not in the base, a filter of its own', async () => {
    const fresh = join(bench.folder, 'fresh');
    mkdirSync(fresh);
    gitIn(fresh, 'init', '--quiet');
    const empty = await bench.failing(client, {}, { workingDirectories: [pathToFileURL(fresh).href] });
    expect(empty.message).toContain('no commit yet');
    mkdirSync(join(bench.folder, 'untracked'));
    const place = { workingDirectories: [pathToFileURL(join(bench.folder, 'untracked')).href] };
    expect((await bench.failing(client, {}, place)).message).toContain('has no folder "untracked"');
    bench.git('config', 'filter.broken.smudge', 'false');
    bench.git('config', 'filter.broken.required', 'true');
    bench.write('.git/info/attributes', '*.md filter=broken\n');
    const before = bench.traces();
    expect((await bench.failing(client, {})).message).toContain('the filter "broken"');
    expect(bench.traces()).toEqual(before);
  });

  it('does not keep the session from being ended, nor the next one from being made', async () => {
    bench.git('config', 'filter.broken.smudge', 'false');
    bench.git('config', 'filter.broken.required', 'true');
    bench.write('.git/info/attributes', '*.md filter=broken\n');
    const channel = bench.host.newSessionUri();
    const config = { isolation: 'worktree', branchName: 'wanted' };
    const params = { provider: 'demo', workingDirectories: [bench.host.workspaceUri], config };
    await client.request('createSession', { channel, ...params });
    const { lifecycle } = await client.subscribe<SessionState>(channel);
    if (lifecycle === 'creating') await client.action(channel, 'session/creationFailed');
    expect(await client.refused('subscribe', { channel: changesetUri(channel, { kind: 'session' }) })).toHaveProperty(
      'code',
    );
    await client.request('disposeSession', { channel });
    bench.write('.git/info/attributes', '');
    const { state } = await bench.session(client, { branchName: 'wanted' });
    expect(state.config?.values.branchName).toBe('wanted');
  });
});

it('a session that ends while its work tree is made leaves nothing', async () => {
  await bench.host.dispose();
  const repositories = { trusts: () => true }; // else the filter that takes its time would not be run
  bench = new WorktreeBench({
    worktrees: (folder) => gitWorktrees({ directory: join(folder, 'worktrees'), repositories }),
  });
  bench.makeRepository();
  await bench.host.start();
  client = await bench.host.client();
  const before = bench.traces();
  bench.git('config', 'filter.slow.smudge', 'sleep 30; cat');
  bench.write('.git/info/attributes', '*.md filter=slow\n');
  const channel = bench.host.newSessionUri();
  const params = { channel, provider: 'demo', workingDirectories: [bench.host.workspaceUri] };
  await client.request('createSession', { ...params, config: { isolation: 'worktree' } });
  await expect.poll(() => bench.traces().onDisk, { timeout: 20_000 }).toHaveLength(1);
  await client.request('disposeSession', { channel });
  await expect.poll(() => bench.traces(), { timeout: 20_000 }).toEqual(before);
});

it('the host can be set to give every session a work tree, and to remove it', async () => {
  const set = { type: 'root/configChanged', config: { isolation: 'worktree', worktreeOnEnd: 'remove-if-clean' } };
  expect((await client.act(ROOT_URI, set)).rejectionReason).toBeUndefined();
  const { session } = await bench.host.session(client);
  const state = await client.subscribe<SessionState>(session);
  expect(state.config?.values).toMatchObject({ isolation: 'worktree', worktreeOnEnd: 'remove-if-clean' });
  const params = {
    provider: 'demo',
    workingDirectories: [bench.host.workspaceUri],
    config: { isolation: 'workspace' },
  };
  const asked = await bench.host.session(client, params);
  for (const uri of [session, asked.session]) {
    const { changesets } = await client.subscribe<SessionState>(uri);
    if (!changesets) await client.action(uri, 'session/changesetsChanged');
  }
  expect((await client.subscribe<SessionState>(asked.session)).workingDirectories?.[0]).toBe(bench.host.workspaceUri);
  const { items }: ListSessionsResult = await client.request('listSessions', { channel: ROOT_URI });
  expect(items).toHaveLength(2);
});
