import { mkdirSync, rmSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type WatchFolder, watchTree } from '../../src/adapters/watcher-node/inotify.js';
import { reportsEveryChange } from '../../src/adapters/workspace-git/watching/watched-disks.js';
import { NO_TELEMETRY, type Telemetry } from '../../src/ports/telemetry.js';
import type { Watcher } from '../../src/ports/watcher.js';
import { type Workspace, WorkspaceError } from '../../src/ports/workspace.js';
import { apply, edits } from './edits.js';
import { Bench, contentOf, describeChange } from './harness.js';
import { Truth } from './truth.js';

let bench: Bench;
let runs: string[];
beforeEach(() => {
  bench = new Bench();
  runs = [];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await bench.dispose();
});

/** The folder's workspace, once it is watched and has been looked at since; each git command is written down. */
async function tracked(options: Parameters<Bench['open']>[0] = {}) {
  const telemetry: Telemetry = {
    ...NO_TELEMETRY,
    isOn: true,
    startSpan: (name, attributes) => {
      runs.push(name);
      return NO_TELEMETRY.startSpan(name, attributes);
    },
  };
  const workspaces = bench.open({ telemetry, ...options });
  const workspace = workspaces.open(bench.folder);
  await workspace.checkpoint({ freshness: 'exact' });
  await watching(workspace);
  await workspace.checkpoint({ freshness: 'exact' });
  return { workspaces, workspace };
}

/** Resolves when the folder is watched from now on. */
function watching(workspace: Workspace): Promise<void> {
  return new Promise((resolve) => {
    const stop = workspace.watch({
      watching: () => {
        queueMicrotask(() => stop());
        resolve();
      },
    });
  });
}

/** What a look at everything finds. */
async function looked(): Promise<string> {
  const other = bench.open({ tracks: false, directory: 'other' });
  return other.open(bench.folder).checkpoint({ freshness: 'exact' });
}

describe('a folder that is tracked', () => {
  it('says who answered, and why others could not', async () => {
    bench.commit({ a: 'one\n', 'sub/b': 'two\n' });
    const counts: string[] = [];
    const count: Telemetry['count'] = (name, _amount, attributes = {}) => {
      const words = ['workspace.question', 'workspace.tier', 'workspace.reason'].map((key) => attributes[key]);
      counts.push([name, ...words.filter((word) => word !== undefined)].join(' '));
    };
    const { workspace } = await tracked({ telemetry: { ...NO_TELEMETRY, isOn: true, count } });
    const begin = await workspace.checkpoint({ freshness: 'exact' });
    const counted = async (work: () => Promise<unknown>) => {
      counts.length = 0;
      await work();
      return counts.map((line) => line.replaceAll('ahp.workspace.', ''));
    };
    const compared = async () => workspace.compare(begin, await workspace.checkpoint({ freshness: 'exact' }));
    bench.write('a', 'edited\n');
    expect(await counted(compared)).toEqual([
      'answers checkpoint reported-paths',
      'not_here compare continued nothing-known',
      'answers compare in-process',
    ]);
    bench.write('a', 'edited again\n');
    expect(await counted(compared)).toEqual(['answers checkpoint reported-paths', 'answers compare continued']);
    expect(await counted(() => workspace.checkpoint({ freshness: 'watched' }))).toEqual([
      'answers checkpoint unchanged',
    ]);
    bench.write('sub/.gitignore', 'b\n');
    expect(await counted(() => workspace.checkpoint({ freshness: 'exact' }))).toContain(
      'not_here checkpoint reported-paths ignore-rules',
    );
  });

  it('need not be scanned after a checkpoint that was aborted', async () => {
    bench.commit({ a: 'one\n' });
    const abort = new AbortController();
    const startSpan: Telemetry['startSpan'] = (name) => {
      runs.push(name);
      if (name === 'git check-ignore') abort.abort();
      return NO_TELEMETRY.startSpan(name);
    };
    const { workspace } = await tracked({ telemetry: { ...NO_TELEMETRY, isOn: true, startSpan } });
    bench.write('new', 'two\n');
    const aborted = workspace.checkpoint({ freshness: 'exact', signal: abort.signal });
    await expect(aborted).rejects.toThrow(WorkspaceError);
    runs = [];
    const state = await workspace.checkpoint({ freshness: 'exact' });
    expect(runs).toEqual(['git check-ignore']);
    expect(state).toBe(await looked());
  });

  it('is shown at once, whatever is done for the folder meanwhile, while nothing in it changes', async () => {
    bench.commit({ a: 'one\n' });
    const { workspace } = await tracked();
    const state = await workspace.checkpoint({ freshness: 'exact' });
    const order: string[] = [];
    const retained = workspace.retain({ ids: [state], olderThan: 0 }).then(() => order.push('retained'));
    const shown = workspace.checkpoint({ freshness: 'watched' }).then((same) => order.push(same));
    await Promise.all([retained, shown]);
    expect(order).toEqual([state, 'retained']);
  });

  it('tells that all changes are reported also when its state is not known', async () => {
    bench.commit({ 'a.txt': 'one\n' });
    const { workspace } = await tracked();
    bench.git('tag', 'now'); // what is committed may differ: the next state takes a scan
    const onCaughtUp = vi.fn();
    expect(await workspace.quickCheckpoint({ freshness: 'exact', onCaughtUp })).toBeUndefined();
    expect(onCaughtUp).toHaveBeenCalled();
  });

  it('has what the host itself writes before the watcher tells of it', async () => {
    bench.commit({ a: 'one\n', 'sub/b': 'two\n', 'sub/c': 'three\n' });
    const deaf: Watcher = {
      watch: async () => ({ stop: () => {} }),
      caughtUp: async () => true,
    };
    const { workspaces, workspace } = await tracked({ watcher: deaf });
    const editor = workspaces.editor(bench.folder);
    const from = async (path: string) => {
      const file = (await editor.read([path])).get(path);
      return file?.kind === 'file' ? { from: file.version } : {};
    };
    const to = async (path: string, text: string) => {
      const contentId = await editor.contents.write(Buffer.from(text));
      return { path, ...(await from(path)), to: { path, contentId, mode: '100644' } };
    };
    await workspace.betweenCheckpoints(async () => {
      const removals = [{ path: 'sub/b', ...(await from('sub/b')) }];
      await editor.apply('one', [await to('a', 'written\n'), ...removals]);
    });
    expect(await workspace.checkpoint({ freshness: 'watched' })).toBe(await looked());
    await workspace.betweenCheckpoints(async () => editor.apply('two', [await to('new', 'new\n')]));
    expect(await workspace.checkpoint({ freshness: 'watched' })).toBe(await looked());
    await workspace.betweenCheckpoints(async () =>
      editor.apply('three', [await to('sub/c', 'c\n'), await to('.gitignore', 'sub\nother\n')]),
    );
    await workspace.betweenCheckpoints(async () => editor.apply('four', [await to('other', 'ignored\n')]));
    expect(await workspace.checkpoint({ freshness: 'watched' })).toBe(await looked());
  });

  it('asks git how its files are on disk only if that may differ from what git stores', async () => {
    bench.commit({ a: 'one\n', 'sub/b': 'two\n' });
    const { workspaces, workspace } = await tracked();
    const { index } = workspaces.editor(bench.folder);
    const asOnDisk = async () => {
      const head = await workspace.reference('head', { freshness: 'exact' });
      const files = await Promise.all(['a', 'sub/b'].map((path) => workspace.find(head ?? '', path)));
      runs = [];
      return [...(await index.asOnDisk(files.flatMap((file) => file ?? []))).keys()];
    };
    await asOnDisk();
    expect(await asOnDisk()).toEqual([]);
    expect(runs).toEqual([]);
    bench.write('.git/info/exclude', '.gitattributes\n'); // git heeds it all the same
    bench.write('sub/.gitattributes', 'b eol=crlf\n');
    expect(await asOnDisk()).toEqual(['sub/b']);
    bench.remove('sub/.gitattributes');
    expect(await asOnDisk()).toEqual([]);
    bench.git('config', 'core.autocrlf', 'true');
    expect(await asOnDisk()).toEqual(['a', 'sub/b']);
    bench.git('config', '--unset', 'core.autocrlf');
    bench.write('.git/info/attributes', 'a eol=crlf\n');
    expect(await asOnDisk()).toEqual(['a']);
  });

  it('is remembered around a turn without starting git', async () => {
    bench.commit({ a: 'x\n', 'sub/b': 'b\n' });
    const { workspaces, workspace } = await tracked();
    const { index } = workspaces.editor(bench.folder);
    await workspace.keepNames(await workspace.checkpoint({ freshness: 'exact' }));
    const turn = async (edit: () => void) => {
      const begin = await workspace.checkpoint({ freshness: 'exact' });
      await workspace.keepNames(begin);
      edit();
      const end = await workspace.checkpoint({ freshness: 'exact' });
      const changes = await workspace.compare(begin, end);
      await workspace.keep(changes);
      await index.status({ freshness: 'exact' });
      const head = await workspace.reference('head', { freshness: 'exact' });
      const uncommitted = await workspace.compareStored(head ?? '', end, { freshness: 'exact' });
      const { baseBranch } = await workspace.describe({ freshness: 'exact' });
      return { changes: changes.length, uncommitted: uncommitted.length, baseBranch };
    };
    await turn(() => bench.write('a', 'first\n'));
    runs.length = 0;
    expect(await turn(() => bench.write('sub/b', 'second\n'))).toEqual({
      changes: 1,
      uncommitted: 2,
      baseBranch: 'main',
    });
    expect(runs).toEqual([]);
    await turn(() => bench.write('new', 'is it ignored?\n'));
    expect(runs).toEqual(['git check-ignore']);
    await turn(() => bench.remove('a'));
    expect(runs, 'it may have been moved').toEqual(['git check-ignore', 'git diff-tree']);
  });

  it.runIf(process.platform === 'linux')('is looked at as a whole while a new folder cannot be watched', async () => {
    bench.commit({ a: 'x\n' });
    let isFull = false;
    const watchFolder: WatchFolder = (...args) => {
      if (isFull) throw Object.assign(new Error('no watches left'), { code: 'ENOSPC' });
      return watch(...args);
    };
    const { workspace } = await tracked({
      watcher: { watch: (folder, _, listener, bounds) => watchTree(folder, listener, bounds?.except, watchFolder) },
    });
    isFull = true;
    bench.write('new/file', 'first\n');
    expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(await looked());
    expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(await looked());
    bench.write('new/file', 'untold\n');
    expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(await looked());
  });

  it('needs one git after an edit to say what its repository is like', async () => {
    bench.commit({ a: 'x\n' });
    bench.git('remote', 'add', 'origin', 'https://github.example/one.git');
    const { workspaces } = await tracked();
    const { repository } = workspaces.editor(bench.folder);
    const clean = { git: true, branch: 'main', hasCommit: true, linked: false, dirty: false, remote: 'origin' };
    expect(await repository.facts()).toMatchObject(clean);
    bench.write('a', 'y\n');
    runs.length = 0;
    expect(await repository.facts()).toMatchObject({ ...clean, dirty: true });
    expect(runs).toEqual(['git status']);
    bench.git('switch', '--quiet', '--create', 'other');
    expect(await repository.facts()).toMatchObject({ ...clean, branch: 'other', dirty: true });
  });

  it('asks git again once something in the repository changed', async () => {
    bench.commit({ a: 'x\n' });
    const { workspaces, workspace } = await tracked();
    const { index } = workspaces.editor(bench.folder);
    const head = async () => {
      const committed = (await workspace.reference('head', { freshness: 'exact' })) ?? '';
      return (
        (
          await workspace.compareStored(committed, await workspace.checkpoint({ freshness: 'exact' }), {
            freshness: 'exact',
          })
        ).length === 0
      );
    };
    expect(await head()).toBe(true);
    bench.write('a', 'y\n');
    expect(await head()).toBe(false);
    expect([...(await index.status({ freshness: 'exact' })).staged.keys()]).toEqual([]);
    bench.git('add', 'a');
    expect([...(await index.status({ freshness: 'exact' })).staged.keys()]).toEqual(['a']);
    bench.commit();
    expect(await head()).toBe(true);
    expect([...(await index.status({ freshness: 'exact' })).staged.keys()]).toEqual([]);
    expect((await workspace.describe({ freshness: 'exact' })).baseBranch).toBe('main');
    bench.git('branch', '--quiet', '--move', 'main', 'master');
    expect((await workspace.describe({ freshness: 'exact' })).baseBranch).toBe('master');
    bench.write('.gitattributes', 'a text\n');
    bench.write('a', 'y\r\n');
    utimesSync(join(bench.top, 'a'), 1, 1); // older than the index, so that git need not read it
    bench.git('add', '--all');
    bench.git('commit', '-q', '-m', 'stored with other line ends');
    expect(await head()).toBe(true);
  });

  it('keeps what git said of commits and branches when only the index changes, and asks what is staged', async () => {
    bench.commit({ 'a.txt': 'one\n' });
    const { workspaces, workspace } = await tracked();
    const { index } = workspaces.editor(bench.folder);
    const staged = async () => [...(await index.status({ freshness: 'exact' })).staged.keys()];
    await workspace.describe({ freshness: 'exact' });
    expect(await staged()).toEqual([]);
    bench.write('a.txt', 'two\n');
    bench.git('add', 'a.txt');
    runs = [];
    await workspace.describe({ freshness: 'exact' });
    expect(runs).not.toContain('git for-each-ref');
    expect(await staged()).toEqual(['a.txt']);
    bench.git('commit', '-q', '-m', 'two');
    runs = [];
    await workspace.describe({ freshness: 'exact' });
    expect(runs).toContain('git for-each-ref');
    expect(await staged()).toEqual([]);
  });

  it('knows a submodule that moves to another commit', async () => {
    const move = bench.commitSubmodule();
    const { workspace } = await tracked();
    const before = await workspace.checkpoint({ freshness: 'exact' });
    move();
    const changes = await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }));
    expect(changes.map(({ after }) => after?.path)).toEqual(['sub']);
  });

  it('may become a repository, and another one', async () => {
    bench.write('a', 'x\n');
    bench.write('dist/made', 'made\n');
    const { workspace } = await tracked();
    for (const branch of ['one', 'two']) {
      rmSync(join(bench.top, '.git'), { recursive: true, force: true });
      bench.git('init', '-q', '-b', branch);
      expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(await looked());
      await watching(workspace);
      expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(await looked());
      writeFileSync(join(bench.top, '.git', 'info', 'exclude'), `dist\n# ${branch}`);
      expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(await looked());
      bench.commit();
      expect(await workspace.reference('head', { freshness: 'exact' })).toBe(
        await workspace.checkpoint({ freshness: 'exact' }),
      );
    }
  });

  it('heeds what is said of it elsewhere', async () => {
    vi.stubEnv('HOME', bench.root);
    const mine = join(bench.root, 'mine');
    writeFileSync(join(bench.root, '.gitconfig'), `[include]\npath = included\n`);
    writeFileSync(join(bench.root, 'included'), `[core]\nexcludesFile = ${mine}\n`);
    bench.commit({ 'sub/a': 'x\n', 'sub/b': 'b\n' });
    bench.folder = join(bench.top, 'sub');
    const { workspace } = await tracked();
    const sayings: [string, string][] = [
      [mine, 'one\n'],
      [join(bench.top, '.gitignore'), '/sub/two\n'],
      [join(bench.root, 'included'), ''],
      [join(bench.top, '.gitignore'), '\n'],
    ];
    for (const [at, [path, text]] of sayings.entries()) {
      for (const name of ['one', 'two', 'three']) bench.write(name, `${name} ${at}\n`);
      expect(await workspace.checkpoint({ freshness: 'exact' }), `before ${at}`).toBe(await looked());
      writeFileSync(path, text);
      expect(await workspace.checkpoint({ freshness: 'exact' }), `after ${at}`).toBe(await looked());
    }
  });

  it('remembers what is ignored only while it is', async () => {
    bench.commit({ a: 'x\n', '.gitignore': 'made/\n*.log\n' });
    const { workspace } = await tracked();
    const steps = [
      () => bench.write('made/one', '1\n'),
      () => bench.write('made/deep/two', '2\n'),
      () => bench.write('x.log', '3\n'),
      () => bench.write('x.log', '4\n'),
      () => {
        bench.remove('made');
        bench.write('made', 'a file is not a folder\n');
      },
      () => {
        bench.remove('made');
        bench.write('made/three', '3\n');
      },
      () => bench.git('add', '--force', 'x.log'),
      () => bench.write('.gitignore', ''),
    ];
    for (const [at, step] of steps.entries()) {
      step();
      expect(await workspace.checkpoint({ freshness: 'exact' }), `after step ${at}`).toBe(await looked());
      if (at === 2) runs.length = 0;
      if (at === 3) expect(runs).toEqual([]);
    }
  });

  it('is whole after the rest was let go of', async () => {
    bench.commit({ 'one/a': 'x\n', 'two/b': 'b\n' });
    const { workspaces, workspace } = await tracked();
    const begin = await workspace.checkpoint({ freshness: 'exact' });
    await workspace.keepNames(begin);
    for (let n = 0; n < 10; n++) {
      bench.write('one/a', `edit ${n}\n`);
      await workspace.checkpoint({ freshness: 'exact' });
    }
    await workspace.retain({ ids: [begin], olderThan: Date.now() + 60_000 });
    bench.write('two/b', 'edited\n');
    const changes = await workspace.compare(begin, await workspace.checkpoint({ freshness: 'exact' }));
    expect(changes.map(({ after }) => after?.path)).toEqual(['one/a', 'two/b']);
    const contents = changes.map(async ({ after }) => workspaces.read(workspace.id, after?.contentId ?? ''));
    expect((await Promise.all(contents)).map((content) => String(contentOf(content)))).toEqual([
      'edit 9\n',
      'edited\n',
    ]);
  });
});

it('what turns changed is what git says, and outlives the repository, however it was found', async () => {
  await fc.assert(
    fc.asyncProperty(edits, fc.array(edits, { minLength: 2, maxLength: 3 }), async (first, later) => {
      await bench.dispose();
      bench = new Bench();
      apply(bench.folder, first);
      bench.commit({ '.gitignore': 'sub/deep\n' });
      const { workspace } = await tracked();
      const truth = new Truth(join(bench.root, 'truth'));
      const hidden = ['sub/deep'];
      const turns: { begin: string; end: string; expected: string[] }[] = [];
      for (const change of later) {
        const [begin, truthBegin] = [
          await workspace.checkpoint({ freshness: 'exact' }),
          truth.remember(bench.folder, hidden),
        ];
        await workspace.keepNames(begin);
        apply(bench.folder, change);
        const [end, truthEnd] = [
          await workspace.checkpoint({ freshness: 'exact' }),
          truth.remember(bench.folder, hidden),
        ];
        const changes = await workspace.compare(begin, end);
        const expected = truth.compare(truthBegin, truthEnd);
        expect(changes.map(describeChange)).toEqual(expected);
        await workspace.keep(changes);
        await workspace.keepNames(end);
        turns.push({ begin, end, expected });
      }
      rmSync(join(bench.top, '.git'), { recursive: true, force: true });
      const again = bench.open().open(bench.folder);
      for (const { begin, end, expected } of turns)
        expect((await again.compare(begin, end)).map(describeChange)).toEqual(expected);
    }),
    { numRuns: 8 },
  );
}, 180_000);

it('only disks of this machine tell of every change', async () => {
  mkdirSync(join(bench.root, 'here'));
  expect(await reportsEveryChange(join(bench.root, 'here'))).toBe(true);
  expect(await reportsEveryChange(join(bench.root, 'nowhere'))).toBe(process.platform !== 'linux');
  if (process.platform === 'linux') expect(await reportsEveryChange('/proc')).toBe(false);
});
