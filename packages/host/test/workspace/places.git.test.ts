import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkspaceError } from '../../src/ports/workspace.js';
import { Bench, check, contentOf, run } from './harness.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await bench.dispose();
});

/** What differs from the last commit. */
async function uncommitted(): Promise<(string | undefined)[]> {
  const workspace = bench.open().open(bench.folder);
  const head = await workspace.reference('head', { freshness: 'exact' });
  const now = await workspace.checkpoint({ freshness: 'exact' });
  const changes = await workspace.compareStored(head ?? '', now, { freshness: 'exact' });
  return changes.map(({ before, after }) => after?.path ?? `${before?.path} is gone`);
}

const edit = () => bench.write('a', 'y\nz\n');

describe('repositories', () => {
  it('before the first commit', async () => {
    bench.git('init', '-q');
    bench.write('a', 'x\n');
    expect(await uncommitted()).toEqual(['a']);
    expect(await check(bench, edit)).toEqual(['a a 2 1']);
  });

  it('with a detached HEAD', async () => {
    bench.commit({ a: 'x\n' });
    bench.git('checkout', '-q', '--detach');
    expect(await uncommitted()).toEqual([]);
    expect(await check(bench, edit)).toEqual(['a a 2 1']);
  });

  it('a linked worktree', async () => {
    bench.commit({ a: 'x\n' });
    const linked = join(bench.root, 'linked');
    bench.git('worktree', 'add', '-q', linked);
    bench.folder = linked;
    expect(await uncommitted()).toEqual([]);
    expect(await check(bench, edit)).toEqual(['a a 2 1']);
  });

  it('a shallow clone', async () => {
    const origin = join(bench.root, 'origin');
    run(bench.root, ['init', '-q', '-b', 'main', origin]);
    for (const content of ['w\n', 'x\n']) {
      writeFileSync(join(origin, 'a'), content);
      run(origin, ['add', '.']);
      run(origin, ['commit', '-q', '-m', content]);
    }
    run(bench.root, ['clone', '-q', '--depth=1', `file://${origin}`, bench.top]);
    expect(await uncommitted()).toEqual([]);
    expect(await check(bench, edit)).toEqual(['a a 2 1']);
  });

  it.each([[[]], [['--sparse-index']]])('a sparse checkout %j', async (options) => {
    bench.commit({ a: 'x\n', 'in/b': 'b\n', 'out/c': 'c\n', 'out/d': 'd\n' });
    bench.git('sparse-checkout', 'set', '--cone', ...options, 'in');
    expect(bench.has('out')).toBe(false);
    expect(await uncommitted()).toEqual([]);
    edit();
    bench.write('out/c', 'changed\n');
    bench.write('out/new', 'new\n');
    expect(await uncommitted()).toEqual(['a', 'out/c', 'out/new']);
  });

  it('a folder in a sparse checkout', async () => {
    bench.commit({ 'in/a': 'x\n', 'in/out/c': 'c\n' });
    bench.git('sparse-checkout', 'set', '--no-cone', '/in/a');
    bench.folder = join(bench.top, 'in');
    expect(await uncommitted()).toEqual([]);
    edit();
    expect(await uncommitted()).toEqual(['a']);
  });

  it('a folder below the top', async () => {
    bench.commit({ '.gitignore': '*.log\n/sub/made/\n', 'sub/a': 'x\n', 'sub/deep/b': 'b\n', other: 'o\n' });
    bench.folder = join(bench.top, 'sub');
    bench.write('x.log', 'x');
    bench.write('made/x', 'x');
    expect(await uncommitted()).toEqual([]);
    const change = () => {
      edit();
      bench.write('y.log', 'y');
      bench.write('made/y', 'y');
      writeFileSync(join(bench.top, 'other'), 'not in the folder\n');
    };
    expect(await check(bench, change, { hidden: ['*.log', 'made'] })).toEqual(['a a 2 1']);
  });

  it('a new folder below the top', async () => {
    bench.commit({ other: 'o\n' });
    bench.folder = join(bench.top, 'sub');
    mkdirSync(bench.folder);
    expect(await uncommitted()).toEqual([]);
    expect(await check(bench, edit)).toEqual([' a 2 0']);
  });

  it('a folder behind a link', async () => {
    bench.commit({ 'sub/a': 'x\n' });
    bench.folder = join(bench.root, 'link');
    symlinkSync(join(bench.top, 'sub'), bench.folder);
    expect(await uncommitted()).toEqual([]);
    edit();
    expect(await uncommitted()).toEqual(['a']);
  });

  it('a split index', async () => {
    bench.commit({ a: 'x\n', b: 'x\n' });
    bench.git('update-index', '--split-index');
    bench.write('b', 'y\n');
    bench.git('add', 'b');
    expect(await uncommitted()).toEqual(['b']);
    expect(await check(bench, edit)).toEqual(['a a 2 1']);
  });

  it('the middle of a merge', async () => {
    bench.commit({ a: 'x\n', b: 'b\n', both: 'base\n', gone: 'base\n' });
    bench.git('checkout', '-q', '-b', 'side');
    bench.commit({ both: 'side\n', gone: 'side\n' });
    bench.git('checkout', '-q', 'main');
    bench.git('rm', '-q', 'gone');
    bench.commit({ both: 'main\n' });
    expect(() => bench.git('merge', 'side')).toThrow();
    expect(bench.git('ls-files', '--unmerged')).not.toBe('');
    expect(await uncommitted()).toEqual(['both', 'gone']);
    const change = () => {
      edit();
      bench.write('both', 'solved\n');
      bench.remove('gone');
    };
    expect(await check(bench, change)).toEqual(['a a 2 1', 'both both 1 5', 'gone  0 1']);
  });

  it('names objects with SHA-256', async () => {
    bench.git('init', '-q', '--object-format=sha256');
    bench.commit({ a: 'x\n' });
    expect(await uncommitted()).toEqual([]);
    edit();
    const workspaces = bench.open();
    const workspace = workspaces.open(bench.folder);
    const changes = await workspace.compare(
      (await workspace.reference('head', { freshness: 'exact' })) ?? '',
      await workspace.checkpoint({ freshness: 'exact' }),
    );
    await workspace.keep(changes);
    rmSync(join(bench.top, '.git'), { recursive: true });
    expect(contentOf(await workspaces.read(workspace.id, changes[0]?.before?.contentId ?? ''))).toEqual(
      Buffer.from('x\n'),
    );
  });

  it.each([
    ['line ends', '* text=auto\n', 'x\r\n'],
    ['a filter', '*.big filter=big\n', 'x\n'],
  ])('stores other bytes than those on disk, by %s', async (_by, attributes, content) => {
    bench.git('init', '-q', '-b', 'main');
    bench.git('config', 'filter.big.clean', 'echo pointer');
    bench.write('.gitattributes', attributes);
    for (const path of ['a.big', 'sub/b.big']) bench.write(path, content);
    // Older than the index, so that git need not read them to know that they are unchanged.
    for (const path of ['a.big', 'sub/b.big']) utimesSync(join(bench.top, path), 1, 1);
    bench.commit();
    expect(await uncommitted()).toEqual([]);
    bench.write('a.big', `${content}${content}`);
    expect(await uncommitted()).toEqual(['a.big']);
    bench.folder = join(bench.top, 'sub');
    expect(await uncommitted()).toEqual([]);
    bench.write('b.big', `${content}${content}`);
    expect(await uncommitted()).toEqual(['b.big']);
  });

  it.each([false, true])('is removed (and made again: %s)', async (again) => {
    bench.commit({ a: 'x\n', b: 'b\n' });
    const workspaces = bench.open();
    const workspace = workspaces.open(bench.folder);
    await workspace.checkpoint({ freshness: 'exact' });
    bench.remove('.git');
    if (again) bench.git('init', '-q');
    const before = await workspace.checkpoint({ freshness: 'exact' });
    edit();
    const [change] = await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }));
    expect(change).toMatchObject({ before: { path: 'a' }, after: { path: 'a' }, added: 2, removed: 1 });
    expect(await workspaces.read(workspace.id, change?.before?.contentId ?? '')).toEqual(Buffer.from('x\n'));
    expect((await workspace.describe({ freshness: 'exact' })).git).toBe(again);
  });

  it('a partial and sparse clone', async () => {
    const origin = join(bench.root, 'origin');
    run(bench.root, ['init', '-q', '-b', 'main', origin]);
    mkdirSync(join(origin, 'out'));
    for (const path of ['a', 'out/b']) writeFileSync(join(origin, path), `${path}\n`);
    run(origin, ['config', 'uploadpack.allowFilter', 'true']);
    run(origin, ['add', '.']);
    run(origin, ['commit', '-q', '-m', 'x']);
    run(bench.root, ['clone', '-q', '--filter=blob:none', '--sparse', `file://${origin}`, bench.top]);
    expect(bench.has('out')).toBe(false);
    expect(await uncommitted()).toEqual([]);
    edit();
    expect(await uncommitted()).toEqual(['a']);
  });

  it('is made later', async () => {
    bench.write('a', 'x\n');
    const workspaces = bench.open();
    const workspace = workspaces.open(bench.folder);
    const before = await workspace.checkpoint({ freshness: 'exact' });
    expect(await workspace.describe({ freshness: 'exact' })).toMatchObject({ git: false });
    expect(await workspaces.read(workspace.id, '0'.repeat(40))).toBeUndefined();
    bench.commit({ b: 'only the repository has this\n' });
    bench.remove('b');
    expect((await workspace.describe({ freshness: 'exact' })).git).toBe(true);
    const stored = bench.git('rev-parse', 'HEAD:b').trim();
    expect(await workspaces.read(workspace.id, stored)).toEqual(Buffer.from('only the repository has this\n'));
    edit();
    expect(await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }))).toHaveLength(1);
    expect(await uncommitted()).toEqual(['a', 'b is gone']);
  });
});

describe('what git is told not to look at', () => {
  it('ignored files, by all that says so', async () => {
    bench.commit({ '.gitignore': '*.log\n', 'sub/.gitignore': 'made/\n' });
    writeFileSync(join(bench.top, '.git', 'info', 'exclude'), 'private\n');
    const change = () => {
      for (const path of ['x.log', 'sub/made/x', 'private', 'seen']) bench.write(path, 'x\n');
    };
    expect(await check(bench, change, { hidden: ['*.log', 'made', 'private'] })).toEqual([' seen 1 0']);
  });

  it('ignored files that are committed all the same', async () => {
    bench.commit({ '.gitignore': '*.log\n', a: 'x\n' });
    bench.write('x.log', 'x\n');
    bench.git('add', '--force', 'x.log');
    bench.commit();
    expect(await check(bench, () => bench.write('x.log', 'y\n'))).toEqual(['x.log x.log 1 1']);
  });

  it('ignored files that are committed while it looks', async () => {
    bench.commit({ '.gitignore': '*.log\n', a: 'x\n' });
    const workspace = bench.open().open(bench.folder);
    await workspace.checkpoint({ freshness: 'exact' });
    bench.write('x.log', 'x\n');
    bench.git('add', '--force', 'x.log');
    bench.commit();
    expect(
      await workspace.compare(
        (await workspace.reference('head', { freshness: 'exact' })) ?? '',
        await workspace.checkpoint({ freshness: 'exact' }),
      ),
    ).toEqual([]);
  });

  it('files that are ignored once they were seen', async () => {
    bench.commit({ a: 'x\n' });
    bench.write('made/b', 'b\n');
    expect(await uncommitted()).toEqual(['made/b']);
    bench.write('.gitignore', 'made\na\n');
    expect(await uncommitted()).toEqual(['.gitignore']);
    bench.git('rm', '-q', '--cached', 'a');
    bench.commit();
    expect(await uncommitted()).toEqual([]);
  });

  it('files assumed unchanged', async () => {
    bench.commit({ a: 'x\n' });
    bench.git('update-index', '--assume-unchanged', 'a');
    expect(await check(bench, edit)).toEqual(['a a 2 1']);
  });

  it('filters of the user, which never run', async () => {
    const home = join(bench.root, 'home');
    mkdirSync(home);
    vi.stubEnv('HOME', home);
    bench.commit({ '.gitattributes': 'a filter=big diff=big\n', a: 'x\n' });
    const trap = (name: string) => `"touch ${join(bench.root, 'ran')}; ${name}"`;
    const filter = `[filter "big"]\n clean=${trap('cat')}\n smudge=${trap('cat')}\n process=${trap('x')}\n required=true\n`;
    const hooks = join(home, 'hooks');
    mkdirSync(hooks);
    for (const hook of ['post-index-change', 'fsmonitor-watchman'])
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${join(bench.root, 'ran')}\n`, { mode: 0o755 });
    const rest = `[diff "big"]\n textconv=${trap('cat')}\n command=${trap('cat')}\n[core]\n hooksPath=${hooks}\n fsmonitor=${hooks}/fsmonitor-watchman\n`;
    writeFileSync(join(home, '.gitconfig'), filter + rest);
    expect(await check(bench, edit)).toEqual(['a a 2 1']);
    bench.folder = bench.root;
    expect(bench.has('ran')).toBe(false);
  });
});

describe('repositories in the folder', () => {
  it('are one entry that names their commit', async () => {
    bench.commit({ a: 'x\n' });
    const nested = join(bench.top, 'nested');
    mkdirSync(nested);
    run(nested, ['init', '-q']);
    run(nested, ['commit', '-q', '--allow-empty', '-m', 'one']);
    const workspace = bench.open().open(bench.folder);
    const before = await workspace.checkpoint({ freshness: 'exact' });
    run(nested, ['commit', '-q', '--allow-empty', '-m', 'two']);
    edit();
    const changes = await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }));
    expect(changes.map(({ after }) => [after?.path, after?.mode])).toEqual([
      ['a', '100644'],
      ['nested', '160000'],
    ]);
    expect(changes[1]?.after?.contentId).toBe(run(nested, ['rev-parse', 'HEAD']).trim());
    await workspace.keep(changes);
  });

  it('without a commit do not hide other files', async () => {
    bench.commit({ a: 'x\n' });
    const nested = join(bench.top, 'nested');
    mkdirSync(nested);
    run(nested, ['init', '-q']);
    writeFileSync(join(nested, 'x'), 'x');
    edit();
    bench.write('z', 'z');
    expect(await uncommitted()).toEqual(['a', 'z']);
  });

  it('submodules', async () => {
    const move = bench.commitSubmodule();
    expect(await uncommitted()).toEqual([]);
    move();
    expect(await uncommitted()).toEqual(['sub']);
  });
});

describe('folders without a repository', () => {
  it('are looked at all the same, without what is usually generated', async () => {
    bench.write('a', 'x\n');
    const workspace = bench.open().open(bench.folder);
    expect(await workspace.describe({ freshness: 'exact' })).toMatchObject({ git: false });
    expect(await workspace.reference('head', { freshness: 'exact' })).toBeUndefined();
    const change = () => {
      edit();
      bench.write('node_modules/x/index.js', 'x');
    };
    expect(await check(bench, change, { hidden: ['node_modules'] })).toEqual(['a a 2 1']);
  });

  it('a bare repository is just files', async () => {
    bench.git('init', '-q', '--bare');
    expect(await check(bench, () => bench.write('description', 'changed\n'))).toEqual(['description description 1 1']);
  });
});

describe('what cannot be done is said', () => {
  it('git is missing', async () => {
    bench.commit({ a: 'x\n' });
    const workspace = bench.open().open(bench.folder);
    vi.stubEnv('PATH', join(bench.root, 'nothing'));
    await expect(workspace.checkpoint({ freshness: 'exact' })).rejects.toThrow(
      new WorkspaceError('git cannot be run; install it to see changes'),
    );
    vi.unstubAllEnvs();
    expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(
      await workspace.reference('head', { freshness: 'exact' }),
    );
  });

  it.skipIf(process.getuid?.() !== 0)(
    "the repository is another user's, and its files are remembered without it",
    async () => {
      bench.commit({ a: 'x\n' });
      vi.stubEnv('HOME', join(bench.root, 'no-home'));
      for (const path of [bench.top, join(bench.top, '.git')]) chownSync(path, 12345, 12345);
      const workspace = bench.open().open(bench.folder);
      const before = await workspace.checkpoint({ freshness: 'exact' });
      expect(await workspace.describe({ freshness: 'exact' })).toMatchObject({
        git: false,
        problem: expect.stringMatching(/dubious ownership/),
      });
      edit();
      expect(await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }))).toHaveLength(1);
    },
  );

  it('a process that was killed had made half of what the host keeps', async () => {
    bench.commit({ a: 'x\n' });
    const { id } = bench.open().open(bench.folder);
    const half = join(bench.root, 'remembered', id);
    execFileSync('git', ['init', '--quiet', '--bare', half]);
    rmSync(join(half, 'objects'), { recursive: true }); // git makes it last
    const workspace = bench.open().open(bench.folder);
    const before = await workspace.checkpoint({ freshness: 'exact' });
    edit();
    expect(await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }))).toHaveLength(1);
  });

  it('a process that was killed left a lock', async () => {
    bench.commit({ a: 'x\n' });
    const workspace = bench.open().open(bench.folder);
    const before = await workspace.checkpoint({ freshness: 'exact' });
    writeFileSync(join(bench.root, 'remembered', workspace.id, 'index.lock'), '');
    edit();
    expect(await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }))).toHaveLength(1);
  });
});
