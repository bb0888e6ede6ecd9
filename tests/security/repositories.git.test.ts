import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gitWorktrees } from '@moorage/host';
import { type ChangesetState, changesetUri, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitIn } from '../support/repository.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';
import { runTurn, WorktreeBench } from '../support/worktree-bench.js';

/** Where a program leaves its name when it is run. */
let canaries: string;
let bench: WorktreeBench;
let client: WireClient;

beforeEach(() => {
  canaries = realpathSync(mkdtempSync(join(tmpdir(), 'canaries-')));
});
afterEach(async () => {
  await bench.host.dispose();
  for (const folder of [canaries, `${canaries}-hooks`]) rmSync(folder, { recursive: true, force: true });
});

const leaves = (name: string) => `touch '${join(canaries, name)}'; cat`;
const sung = () => readdirSync(canaries).toSorted();

/** Kinds of files, each with a filter that is configured in another place. */
const FILTERED = ['local', 'process', 'included', 'conditional', 'worktree'] as const;

/** Everything in a repository's own settings that names a program. */
function arm(top: string): void {
  const set = (...args: string[]) => gitIn(top, 'config', ...args);
  set('filter.local.clean', leaves('local'));
  set('filter.local.smudge', leaves('local'));
  set('filter.process.process', leaves('process'));
  const include = (file: string, name: string) =>
    writeFileSync(
      join(top, '.git', file),
      `[filter "${name}"]\n\tclean = "${leaves(name).replaceAll('"', '\\"')}"\n\tsmudge = "${leaves(name)}"\n`,
    );
  include('extra', 'included');
  include('on-branch', 'conditional');
  set('include.path', 'extra');
  set('includeIf.onbranch:main.path', 'on-branch');
  set('core.repositoryFormatVersion', '1');
  set('extensions.worktreeConfig', 'true');
  include('config.worktree', 'worktree');
  set('core.fsmonitor', leaves('fsmonitor'));
  set('core.hooksPath', hooks());
  for (const kind of ['textconv', 'command']) set(`diff.shown.${kind}`, leaves(`diff-${kind}`));
  set('diff.external', leaves('external'));
  for (const key of ['core.sshCommand', 'core.pager', 'core.editor', 'core.askPass', 'core.gitProxy'])
    set(key, leaves(key));
  for (const key of ['gpg.program', 'credential.helper', 'core.alternateRefsCommand']) set(key, leaves(key));
  for (const name of ['status', 'rev-parse', 'diff-files', 'ls-files'])
    set(`alias.${name}`, `!${leaves(`alias-${name}`)}`);
  set('log.showSignature', 'true');
  set('submodule.recurse', 'true');
  set('diff.submodule', 'diff');
  set('status.submoduleSummary', 'true');
  set('protocol.ext.allow', 'always');
  set('remote.far.url', `ext::sh -c touch% ${join(canaries, 'fetch')}`);
  set('remote.far.promisor', 'true');
  set('extensions.partialClone', 'far');
}

function hooks(): string {
  const folder = `${canaries}-hooks`;
  mkdirSync(folder, { recursive: true });
  for (const hook of [
    'post-checkout',
    'post-index-change',
    'reference-transaction',
    'pre-commit',
    'fsmonitor-watchman',
  ])
    writeFileSync(join(folder, hook), `#!/bin/sh\ntouch '${join(canaries, hook)}'\n`, { mode: 0o755 });
  return folder;
}

/** A repository with files for each filter, one in it with settings of its own, and a bare one among its files. */
function fill(top: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  };
  const attributes = FILTERED.map((name) => `*.${name} filter=${name}\n`).join('');
  write('.gitattributes', `${attributes}*.txt diff=shown\n*.crlf text eol=crlf\n`);
  for (const name of FILTERED) write(`file.${name}`, 'one\n');
  write('file.txt', 'one\n');
  write('file.crlf', 'one\r\n');
  write('inner/file.nested', 'one\n');
  write('inner/.gitattributes', '* filter=nested\n');
  const inner = join(top, 'inner');
  gitIn(inner, 'init', '-q', '-b', 'main');
  gitIn(inner, 'add', '.');
  gitIn(inner, 'commit', '-q', '-m', 'start');
  gitIn(inner, 'config', 'filter.nested.clean', leaves('nested'));
  write('bare/file.hidden', 'one\n');
  write('bare/.gitattributes', '* filter=hidden\n');
  const bare = join(top, 'bare');
  execFileSync('git', ['init', '-q', '--bare', bare]);
  for (const [key, value] of [
    ['core.bare', 'false'],
    ['core.worktree', bare],
    ['filter.hidden.clean', leaves('hidden')],
  ] as const)
    execFileSync('git', ['--git-dir', bare, 'config', key, value]);
  write('bare/refs/.keep', '');
  gitIn(bare, '--git-dir=.', 'add', 'file.hidden', '.gitattributes');
  gitIn(top, 'init', '-q', '-b', 'main');
  gitIn(top, 'add', '--all');
  gitIn(top, 'commit', '-q', '-m', 'start');
  rmSync(canaries, { recursive: true });
  mkdirSync(canaries);
}

/** Makes git look into files instead of trusting their times. */
function touchAll(top: string): void {
  const past = new Date('2001-01-01');
  const files = [
    ...FILTERED.map((name) => `file.${name}`),
    'file.txt',
    'file.crlf',
    'inner/file.nested',
    'bare/file.hidden',
  ];
  for (const path of files) utimesSync(join(top, path), past, past);
}

async function start(trusted = false): Promise<void> {
  const repositories = { trusts: () => trusted };
  bench = new WorktreeBench({
    workspaces: (folder) => workspacesIn(folder, { repositories }),
    worktrees: (folder) => gitWorktrees({ directory: join(folder, 'worktrees'), repositories }),
  });
  fill(bench.folder);
  await bench.host.start();
  client = await bench.host.client();
}

/** Opens a changeset and waits for its files and for what can be done with them. */
async function look(session: string, kind: 'uncommitted' | 'branch' | 'session'): Promise<ChangesetState> {
  const uri = changesetUri(session, { kind });
  for (;;) {
    const seen = client.envelopes.length;
    const state = await client.subscribe<ChangesetState>(uri);
    if (state.status === 'error' || (state.status === 'ready' && state.operations)) return state;
    await client.envelope(() => client.envelopes.length > seen);
  }
}

async function lookEverywhere(folder: string): Promise<string> {
  const workingDirectory = pathToFileURL(folder).href;
  const provider = 'demo';
  await client.request('resolveSessionConfig', { channel: 'ahp-root://', provider, workingDirectory });
  await client
    .request('sessionConfigCompletions', {
      channel: 'ahp-root://',
      provider,
      workingDirectory,
      property: 'baseBranch',
      query: 'm',
    })
    .catch(() => undefined); // a folder that git refuses has no branches
  const { session, chat } = await bench.host.session(client, { workingDirectories: [workingDirectory] });
  await client.request('completions', { channel: chat, kind: 'userMessage', text: '@file', offset: 5 });
  for (const kind of ['uncommitted', 'branch', 'session'] as const) await look(session, kind);
  await runTurn(client, chat, '/write new.txt hello');
  for (const kind of ['uncommitted', 'branch', 'session'] as const) await look(session, kind);
  return session;
}

describe('a hostile repository', () => {
  it('runs nothing while its changes, facts, files and work trees are looked at', async () => {
    await start();
    const early = await bench.session(client, { worktreeOnEnd: 'remove-if-clean' });
    arm(bench.folder);
    touchAll(bench.folder);
    await lookEverywhere(bench.folder);
    touchAll(bench.folder);
    await lookEverywhere(join(bench.folder, 'bare'));
    utimesSync(join(early.path, 'file.local'), new Date(0), new Date(0));
    await client.request('disposeSession', { channel: early.session });
    expect(sung()).toEqual([]);
    expect((await bench.failing(client, {})).message).toContain('--trust');
    expect(sung()).toEqual([]);

    // They would have been run, had anybody asked git the usual way.
    touchAll(bench.folder);
    const plainly = (cwd: string, ...args: string[]) => spawnSync('git', args, { cwd, timeout: 5_000 });
    plainly(bench.folder, '-c', 'core.fsmonitor=', 'status');
    plainly(bench.folder, 'status');
    plainly(join(bench.folder, 'bare'), 'status');
    plainly(bench.folder, 'cat-file', '-p', '1'.repeat(40));
    writeFileSync(join(bench.folder, 'file.txt'), 'two\n');
    plainly(bench.folder, 'diff');
    expect(sung()).toEqual(
      expect.arrayContaining([...FILTERED, 'nested', 'hidden', 'fsmonitor', 'fetch', 'post-index-change']),
    );
  });

  it('may run its filters in a work tree once the user trusts it', async () => {
    await start(true);
    gitIn(bench.folder, 'config', 'filter.local.smudge', `touch '${join(canaries, 'local')}'; tr a-z A-Z`);
    const { path } = await bench.session(client);
    expect(sung()).toEqual(['local']);
    expect(readFileSync(join(path, 'file.local'), 'utf8')).toBe('ONE\n');
  });
});

describe("a filter of the user's own settings", () => {
  it('is run when a work tree is made, without a question', async () => {
    await start();
    const { HOME } = process.env;
    process.env.HOME = canaries;
    try {
      writeFileSync(join(canaries, '.gitconfig'), '[filter "local"]\n\tsmudge = tr a-z A-Z\n\tclean = tr A-Z a-z\n');
      const { path } = await bench.session(client);
      expect(readFileSync(join(path, 'file.local'), 'utf8')).toBe('ONE\n');
    } finally {
      process.env.HOME = HOME;
    }
  });
});

describe('a repository outside the roots', () => {
  let victim: string;
  const untouched = () =>
    ['HEAD', 'logs/HEAD', 'index'].map((name) => readFileSync(join(victim, '.git', name), 'latin1'));

  /** A host whose root has only a file, and a repository beside the root. */
  async function besides(prepare: (root: string) => void): Promise<void> {
    bench = new WorktreeBench();
    victim = join(canaries, 'victim');
    mkdirSync(victim);
    writeFileSync(join(victim, 'secret.txt'), 'secret\n');
    gitIn(victim, 'init', '-q', '-b', 'secret-branch');
    gitIn(victim, 'add', '.');
    gitIn(victim, 'commit', '-q', '-m', 'start');
    writeFileSync(join(bench.folder, 'own.txt'), 'own\n');
    prepare(bench.folder);
    await bench.host.start();
    client = await bench.host.client();
  }

  it.each([
    ['a .git file', (root: string) => writeFileSync(join(root, '.git'), `gitdir: ${join(victim, '.git')}\n`)],
    ['a link', (root: string) => symlinkSync(join(victim, '.git'), join(root, '.git'))],
    [
      'a commondir',
      (root: string) => {
        mkdirSync(join(root, '.git'));
        writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/secret-branch\n');
        writeFileSync(join(root, '.git', 'commondir'), `${join(victim, '.git')}\n`);
      },
    ],
    [
      'the folder of a work tree that is elsewhere',
      (root: string) => {
        gitIn(victim, 'worktree', 'add', '-q', join(canaries, 'other'));
        writeFileSync(join(root, '.git'), `gitdir: ${join(victim, '.git', 'worktrees', 'other')}\n`);
      },
    ],
  ])('is neither read nor changed through %s', async (_how, lead) => {
    await besides(lead);
    const before = untouched();
    const workingDirectory = bench.host.workspaceUri;
    const config = await client.request('resolveSessionConfig', {
      channel: 'ahp-root://',
      provider: 'demo',
      workingDirectory,
    });
    expect(JSON.stringify(config)).not.toContain('secret-branch');
    const { session, chat } = await bench.host.session(client);
    await runTurn(client, chat, '/write new.txt hello');
    const state = await client.subscribe<SessionState>(session);
    expect(state._meta?.['moorage.changesProblem']).toMatch(/leads to .*outside the folders.*--root/);
    const { files } = await look(session, 'uncommitted');
    expect(files.map(({ id }) => id.slice(id.lastIndexOf('/') + 1))).toEqual(['new.txt']);
    const channel = changesetUri(session, { kind: 'uncommitted' });
    await client.refused('invokeChangesetOperation', { channel, operationId: 'commit' });
    expect((await bench.failing(client, {})).message).toMatch(/leads to/);
    expect(untouched()).toEqual(before);
  });

  it.each([
    [
      'as a linked work tree',
      (root: string) => {
        gitIn(victim, 'worktree', 'add', '-q', join(root, 'part'));
      },
    ],
    [
      'as a submodule',
      (root: string) => {
        gitIn(victim, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', victim, 'part');
        cpSync(join(victim, 'part'), join(root, 'part'), { recursive: true });
        const config = join(victim, '.git', 'modules', 'part', 'config');
        execFileSync('git', ['config', '--file', config, 'core.worktree', join(root, 'part')]);
        writeFileSync(join(root, 'part', '.git'), `gitdir: ${join(victim, '.git', 'modules', 'part')}\n`);
      },
    ],
  ])('is used where it points back, %s', async (_how, link) => {
    await besides(link);
    const workingDirectory = pathToFileURL(join(bench.folder, 'part')).href;
    const { session, chat } = await bench.host.session(client, { workingDirectories: [workingDirectory] });
    await runTurn(client, chat, '/write new.txt hello');
    expect((await client.subscribe<SessionState>(session))._meta?.['moorage.changesProblem']).toBeUndefined();
    const { operations } = await look(session, 'uncommitted');
    expect(operations?.map(({ id }) => id)).toContain('commit');
  });

  it('is not merged into because it is listed as a work tree', async () => {
    await besides((root) => {
      gitIn(root, 'init', '-q', '-b', 'main');
      gitIn(root, 'add', '.');
      gitIn(root, 'commit', '-q', '-m', 'start');
      gitIn(root, 'worktree', 'add', '-q', join(root, 'part'));
      gitIn(root, 'branch', '-q', 'secret-branch');
      gitIn(root, 'worktree', 'add', '-q', join(root, 'listed'), 'secret-branch');
      writeFileSync(join(root, '.git', 'worktrees', 'listed', 'gitdir'), `${join(victim, '.git')}\n`);
    });
    const before = untouched();
    const workspaces = workspacesIn(canaries);
    try {
      const { repository } = workspaces.editor(join(bench.folder, 'part'));
      await expect(repository.mergeBack('secret-branch')).rejects.toThrow('not a work tree of the same repository');
    } finally {
      await workspaces.close();
    }
    expect(untouched()).toEqual(before);
  });
});
