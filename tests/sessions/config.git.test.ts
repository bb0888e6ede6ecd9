import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { demoAgent } from '@moorage/agents/demo';
import type { AgentProvider } from '@moorage/host';
import { ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WireClient } from '../support/wire-client.js';
import { WorktreeBench } from '../support/worktree-bench.js';

/** A provider with a setting of its own. */
function agentWithSettings(): AgentProvider {
  const demo = demoAgent({ isolation: 'none' });
  return {
    info: demo.info,
    openChat: (options) => demo.openChat(options),
    dispose: () => demo.dispose(),
    sessionConfig: {
      effort: { type: 'string', title: 'Effort', enum: ['low', 'high'], default: 'low', sessionMutable: true },
      isolation: { type: 'string', title: 'Not for agents to decide' },
    },
  };
}

let bench: WorktreeBench;
let client: WireClient;
beforeEach(async () => {
  bench = new WorktreeBench({ agents: () => [agentWithSettings()] });
  bench.makeRepository();
  await bench.host.start();
  client = await bench.host.client();
});
afterEach(() => bench.host.dispose());

const resolve = (config?: object, more: object = {}) =>
  client.request('resolveSessionConfig', {
    channel: ROOT_URI,
    provider: 'demo',
    workingDirectory: bench.host.workspaceUri,
    ...(config && { config: { ...config } }),
    ...more,
  });
const refused = (config: object, more: object = {}) =>
  client.refused('resolveSessionConfig', {
    channel: ROOT_URI,
    provider: 'demo',
    workingDirectory: bench.host.workspaceUri,
    config,
    ...more,
  });
const complete = async (property: string, query?: string, more: object = {}) => {
  const { items } = await client.request('sessionConfigCompletions', {
    channel: ROOT_URI,
    provider: 'demo',
    workingDirectory: bench.host.workspaceUri,
    property,
    ...(query !== undefined && { query }),
    ...more,
  });
  return items;
};

describe('the settings of a new session (B-325)', () => {
  it('are, for a git folder, where it works and what it is measured against, beside those of the agent (V-29)', async () => {
    const { schema, values } = await resolve();
    expect(Object.keys(schema.properties)).toEqual(['effort', 'isolation', 'baseBranch', 'budget']);
    expect(schema.properties.isolation).toMatchObject({ enum: ['workspace', 'worktree'], title: 'Isolation' });
    expect(schema.properties.baseBranch).toMatchObject({ enumDynamic: true, sessionMutable: true });
    expect(schema.properties.baseBranch?.enum).toEqual(['main', 'develop', 'origin/remote-only']);
    expect(values).toEqual({ effort: 'low', isolation: 'workspace' });
  });

  it('follow what was chosen so far', async () => {
    const { schema, values } = await resolve({ isolation: 'worktree', effort: 'high' });
    expect(Object.keys(schema.properties)).toContain('branchName');
    expect(schema.properties.worktreeOnEnd).toMatchObject({ enum: ['keep', 'remove-if-clean'], sessionMutable: true });
    expect(values).toEqual({
      effort: 'high',
      isolation: 'worktree',
      baseBranch: 'main',
      worktreeOnEnd: 'keep',
    });
  });

  it('are those of the agent where there is no repository, or no folder', async () => {
    const { schema } = await resolve({}, { workingDirectory: undefined });
    expect(Object.keys(schema.properties)).toEqual(['effort', 'isolation', 'budget']); // the agent's own: there is no other here
    execFileSync('rm', ['-rf', join(bench.folder, '.git')]);
    const plain = await resolve({ baseBranch: 'main', branchName: 'x' });
    expect(Object.keys(plain.schema.properties)).toEqual(['effort', 'isolation', 'budget']);
    expect(plain.values).toEqual({ effort: 'low' });
  });

  it('offer no work tree before the first commit', async () => {
    const fresh = join(bench.folder, 'fresh');
    mkdirSync(fresh);
    execFileSync('git', ['init', '--quiet', fresh]);
    const workingDirectory = pathToFileURL(fresh).href;
    const { schema, values } = await resolve({}, { workingDirectory });
    expect(schema.properties.isolation?.enum).toEqual(['workspace']);
    expect(values.isolation).toBe('workspace');
    const error = await refused({ isolation: 'worktree' }, { workingDirectory });
    expect(error).toMatchObject({ code: -32602 });
    expect(error.message).toContain('no commit yet');
  });

  it('offer no work tree of a repository that begins outside of the roots', async () => {
    await bench.host.dispose();
    const inside = new WorktreeBench({ workspace: bench.folder });
    mkdirSync(bench.folder, { recursive: true });
    inside.makeRepository();
    const app = join(bench.folder, 'packages', 'app');
    bench = new WorktreeBench({ workspace: app });
    await bench.host.start();
    client = await bench.host.client();
    const { schema } = await resolve();
    expect(schema.properties.isolation?.enum).toEqual(['workspace']);
    const error = await refused({ isolation: 'worktree' });
    expect(error.message).toContain('outside the folders');
    execFileSync('rm', ['-rf', inside.folder, inside.host.folder]);
  });

  it.each([
    [{ isolation: 'cloud' }, 'expected one of workspace, worktree'],
    [{ isolation: 7 }, 'isolation'],
    [{ effort: 'extreme' }, 'expected one of low, high'],
    [{ baseBranch: 7 }, 'expected string'],
    [{ isolation: 'worktree', baseBranch: 'nowhere' }, 'There is no branch "nowhere"'],
    [{ isolation: 'worktree', baseBranch: '--help' }, 'There is no branch "--help"'],
    [{ isolation: 'worktree', baseBranch: 'main~1' }, 'There is no branch'],
    [{ isolation: 'worktree', branchName: 'develop' }, 'already exists'],
    [{ isolation: 'worktree', branchName: 'develop/x' }, 'beside the branch "develop"'],
    [{ isolation: 'worktree', branchName: 'a..b' }, 'cannot be the name of a branch'],
    [{ isolation: 'worktree', branchName: '-f' }, 'cannot be the name of a branch'],
    [{ isolation: 'worktree', worktreeOnEnd: 'explode' }, 'expected one of keep, remove-if-clean'],
  ])('refuse %j', async (config, reason) => {
    const error = await refused(config);
    expect(error).toMatchObject({ code: -32602 });
    expect(error.message).toContain(reason);
  });

  it('leave out what they do not know', async () => {
    expect((await resolve({ unheard: { of: 1 } })).values).not.toHaveProperty('unheard');
  });

  it('know their agents and folders', async () => {
    expect(await refused({}, { provider: 'nobody' })).toMatchObject({ code: -32002 });
    expect(await refused({}, { workingDirectory: 'file:///etc' })).toMatchObject({ code: -32009 });
    expect(await refused({}, { workingDirectory: 'file:///no/such/folder' })).toMatchObject({ code: -32008 });
    expect(await refused({}, { workingDirectory: 'ftp://x/y' })).toMatchObject({ code: -32602 });
  });

  it('are described in the language of the client', async () => {
    const german = await bench.host.rawClient();
    const protocolVersions = ['1.0.0'];
    const hello = { channel: 'ahp-root://' as const, clientId: german.clientId, protocolVersions, locale: 'de-AT' };
    await german.request('initialize', hello);
    const params = { channel: ROOT_URI, workingDirectory: bench.host.workspaceUri } as const;
    const { schema } = await german.request('resolveSessionConfig', params);
    expect(schema.properties.baseBranch?.title).toBe('Basiszweig');
    expect(schema.properties.isolation?.enumLabels).toEqual(['Ordner', 'Arbeitsbaum']);
    expect((await resolve()).schema.properties.baseBranch?.title).toBe('Base branch');
  });
});

describe('what may be put in (B-326)', () => {
  it('is the checked out branch first, then what was used last', async () => {
    const items = await complete('baseBranch');
    expect(items[0]).toEqual({ value: 'main', label: 'main', description: 'checked out' });
    expect(items.map(({ value }) => value).sort()).toEqual(['develop', 'main', 'origin/remote-only']);
    expect(await complete('baseBranch', '')).toEqual(items);
  });

  it('is found as the user types, in own and remote branches, whatever the case', async () => {
    expect((await complete('baseBranch', 'DEV')).map(({ value }) => value)).toEqual(['develop']);
    expect(await complete('baseBranch', 'remote')).toEqual([
      { value: 'origin/remote-only', label: 'origin/remote-only', description: 'on a remote' },
    ]);
    expect(await complete('baseBranch', '*')).toEqual([]);
    expect(await complete('baseBranch', 'nothing like it')).toEqual([]);
  });

  it('is bounded, with the best first, among thousands of branches', async () => {
    const head = bench.git('rev-parse', 'HEAD');
    const refs = Array.from({ length: 5_000 }, (_, index) => `${head} refs/heads/topic/number-${index}`);
    const packed = ['# pack-refs with: peeled fully-peeled sorted ', ...refs.sort()].join('\n');
    writeFileSync(join(bench.folder, '.git', 'packed-refs'), `${packed}\n`);
    const items = await complete('baseBranch', 'number-42');
    expect(items).toHaveLength(50);
    expect((await complete('baseBranch', 'topic/number-4242')).map(({ value }) => value)).toEqual([
      'topic/number-4242',
    ]);
    expect(await complete('baseBranch')).toHaveLength(50);
    expect((await complete('baseBranch'))[0]?.value).toBe('main');
  });

  it('is for other settings what they list', async () => {
    expect(await complete('effort', 'hi')).toEqual([{ value: 'high', label: 'high' }]);
    expect((await complete('isolation', 'tree')).map(({ value }) => value)).toEqual(['worktree']);
    expect(await complete('branchName', 'x', { config: { isolation: 'worktree' } })).toEqual([]);
  });

  it('asks for a setting that there is (OQ-105)', async () => {
    const params = { channel: ROOT_URI, workingDirectory: bench.host.workspaceUri, property: 'unheard' };
    expect(await client.refused('sessionConfigCompletions', params)).toMatchObject({ code: -32602 });
    const other = { ...params, provider: 'nobody', property: 'baseBranch' };
    expect(await client.refused('sessionConfigCompletions', other)).toMatchObject({ code: -32002 });
    const long = { ...params, property: 'baseBranch', query: 'x'.repeat(10_000) };
    expect(await client.refused('sessionConfigCompletions', long)).toMatchObject({ code: -32602 });
  });
});

describe('a session', () => {
  it('keeps its settings and what its client noted, over a restart', async () => {
    const _meta = { 'example.org/window': 7, nested: { kept: true } };
    const { session } = await bench.host.session(client, { config: { effort: 'high', unheard: 1 }, _meta });
    const before = await client.subscribe<SessionState>(session);
    expect(before._meta).toEqual({ ..._meta, 'moorage.createdAt': expect.any(String) });
    expect(before.config?.values).toEqual({ effort: 'high', isolation: 'workspace' });
    expect(before.project?.uri).toBe(before.workingDirectories?.[0]);
    await bench.host.restart();
    client = await bench.host.client();
    const after = await client.subscribe<SessionState>(session);
    expect(after._meta).toEqual(before._meta);
    expect(after.config).toEqual(before.config);
  });

  it('refuses notes that are none, or too many', async () => {
    for (const _meta of ['text', [1], { text: 'x'.repeat(70_000) }]) {
      const channel = bench.host.newSessionUri();
      const params = { channel, provider: 'demo', workingDirectories: [bench.host.workspaceUri], _meta };
      expect(await client.refused('createSession', params)).toMatchObject({ code: -32602 });
      expect(await client.refused('subscribe', { channel })).toMatchObject({ code: -32001 });
    }
  });

  it('changes what may change, and nothing else (B-327, OQ-39)', async () => {
    const { session } = await bench.host.session(client);
    const change = async (config: object, replace?: boolean) =>
      (await client.act(session, { type: 'session/configChanged', config, ...(replace && { replace }) }))
        .rejectionReason;
    expect(await change({ effort: 'high' })).toBeUndefined();
    expect(await change({ baseBranch: 'develop' })).toBeUndefined();
    expect(await change({ isolation: 'worktree' })).toContain('cannot be changed');
    expect(await change({ isolation: 'workspace' })).toBeUndefined();
    expect(await change({ effort: 'extreme' })).toContain('expected one of low, high');
    expect(await change({ effort: 'low' }, true)).toContain('cannot be removed');
    expect(await change({ effort: 'low', isolation: 'workspace' }, true)).toBeUndefined();
    const state = await client.subscribe<SessionState>(session);
    expect(state.config?.values).toEqual({ effort: 'low', isolation: 'workspace' });
  });

  it('is not created with a work tree where there can be none', async () => {
    execFileSync('rm', ['-rf', join(bench.folder, '.git')]);
    const channel = bench.host.newSessionUri();
    const params = { channel, provider: 'demo', workingDirectories: [bench.host.workspaceUri] };
    const error = await client.refused('createSession', { ...params, config: { isolation: 'worktree' } });
    expect(error).toMatchObject({ code: -32602 });
    expect(error.message).toContain('no git work tree');
    execFileSync('git', ['init', '--quiet', '--bare', bench.folder]);
    expect(await client.refused('createSession', { ...params, config: { isolation: 'worktree' } })).toMatchObject({
      code: -32602,
    });
    expect(await client.refused('subscribe', { channel })).toMatchObject({ code: -32001 });
  });
});
