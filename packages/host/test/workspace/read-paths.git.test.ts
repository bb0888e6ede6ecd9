import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { Git } from '../../src/adapters/shared/git/git.js';
import { Scratch } from '../../src/adapters/shared/git/scratch.js';
import { countLines } from '../../src/adapters/workspace-git/comparing/line-counts.js';
import { ObjectReader } from '../../src/adapters/workspace-git/objects/object-reader.js';
import { Objects } from '../../src/adapters/workspace-git/objects/objects.js';
import { Quota } from '../../src/adapters/workspace-git/objects/quota.js';
import { openShadow } from '../../src/adapters/workspace-git/repository/shadow.js';
import { readPaths } from '../../src/adapters/workspace-git/states/read-paths.js';
import { isNotHere } from '../../src/adapters/workspace-git/tiers.js';
import { apply, edits } from './edits.js';
import { Bench, describeChange } from './harness.js';

describe('a look at what was touched', () => {
  it('finds the same state as a look at everything, and the same changes', async () => {
    let certain = 0;
    await fc.assert(
      fc.asyncProperty(edits, fc.array(edits, { minLength: 1, maxLength: 3 }), async (first, later) => {
        const bench = new Bench();
        try {
          apply(bench.folder, first);
          bench.commit({ '.gitignore': 'sub/deep\n' });
          const workspace = bench.open().open(bench.folder);
          const shadow = await openShadow(new Git(), bench.folder, join(bench.root, 'remembered', workspace.id));
          const own = new ObjectReader(shadow.directory, nodeClock);
          const objects = new Objects(shadow, own, nodeClock, new Scratch(join(bench.root, 'scratch')));
          const begin = await workspace.checkpoint({ freshness: 'exact' });
          let state = begin;
          for (const change of later) {
            apply(bench.folder, change);
            // The watcher tells of every path that changed, and of the folders that came and went with them.
            const touched = new Set(change.flatMap(([path]) => [path, ...foldersOf(path)]));
            const quick = await readPaths(shadow, objects, state, touched);
            state = await workspace.checkpoint({ freshness: 'exact' });
            if (isNotHere(quick)) continue;
            certain++;
            expect(quick).toBe(state);
            const counted = await objects.inProcess.compare(begin, quick);
            const said = await workspace.compare(begin, state);
            if (!isNotHere(counted)) expect(counted.map(describeChange)).toEqual(said.map(describeChange));
          }
          own.close();
        } finally {
          await bench.dispose();
        }
      }),
      { numRuns: 20 },
    );
    expect(certain).toBeGreaterThan(10);
  }, 180_000);

  it('takes a new folder whole, leaves out what is ignored, and says why where it cannot tell', async () => {
    const bench = new Bench();
    bench.commit({ a: 'x\n', '.gitignore': 'ignored\n*.log\n' });
    const workspace = bench.open().open(bench.folder);
    const begin = await workspace.checkpoint({ freshness: 'exact' });
    const shadow = await openShadow(new Git(), bench.folder, join(bench.root, 'remembered', workspace.id));
    const reader = new ObjectReader(shadow.directory, nodeClock);
    const objects = new Objects(shadow, reader, nodeClock, new Scratch(join(bench.root, 'scratch')));
    bench.write('new/one', '1\n');
    bench.write('new/deep/two', '2\n');
    bench.write('new/x.log', 'no\n');
    bench.write('ignored/big', 'no\n');
    const read = async (from: string, paths: string[]) => {
      const state = await readPaths(shadow, objects, from, paths);
      return isNotHere(state) ? `not here: ${state.notHere}` : state;
    };
    const found = await read(begin, ['new', 'ignored', 'ignored/big']);
    expect(found).toBe(await workspace.checkpoint({ freshness: 'exact' }));
    const changes = await workspace.compare(begin, found);
    expect(changes.map(({ after }) => after?.path)).toEqual(['new/deep/two', 'new/one']);
    bench.write('new/one', 'other\n');
    bench.write('zero', '0\n');
    const withMore = await read(found, ['zero']);
    expect(await read(withMore, ['new'])).toBe(await workspace.checkpoint({ freshness: 'exact' }));
    expect(await read(begin, ['.gitignore'])).toBe('not here: ignore-rules');
    expect(await read(begin, ['broken \ufffd'])).toBe('not here: not-utf8');
    reader.close();
    await bench.dispose();
  });

  it('leaves to git what is much, and what there is no room for', async () => {
    const bench = new Bench();
    bench.commit({ a: 'x\n' });
    const workspace = bench.open().open(bench.folder);
    const begin = await workspace.checkpoint({ freshness: 'exact' });
    const shadow = await openShadow(new Git(), bench.folder, join(bench.root, 'remembered', workspace.id));
    const reader = new ObjectReader(shadow.directory, nodeClock);
    const objects = new Objects(shadow, reader, nodeClock, new Scratch(join(bench.root, 'scratch')));
    const { trees, writer, ignored, quota } = objects;
    const full = new Quota(shadow.directory, { maxBytes: 0, worthMeasuring: 0 });
    bench.write('a', 'edited\n');
    expect(await readPaths(shadow, { trees, writer, ignored, quota }, begin, ['a'])).toEqual(expect.any(String));
    expect(await readPaths(shadow, { trees, writer, ignored, quota: full }, begin, ['a'])).toEqual({
      notHere: 'store-full',
    });
    for (const name of ['one', 'two']) bench.write(name, Buffer.alloc(3 * 1024 * 1024));
    expect(await readPaths(shadow, objects, begin, ['one'])).toEqual(expect.any(String));
    expect(await readPaths(shadow, objects, begin, ['one', 'two'])).toEqual({ notHere: 'too-large' });
    reader.close();
    await bench.dispose();
  });
});

describe('a folder that is tracked', () => {
  it('is known as it is after any burst of edits, folders made and moved at once included', async () => {
    const bench = new Bench();
    bench.commit({ a: 'x\n', 'deep/er/b': 'y\n' });
    const tracked = bench.open({ tracks: true }).open(bench.folder);
    const plain = new Bench().open({ tracks: false }).open(bench.folder);
    await tracked.checkpoint({ freshness: 'exact' });
    const steps = [
      () => bench.write('a', 'x\nz\n'),
      () => bench.write('new/one/two/three', 'deep\n'),
      () => bench.write('new/one/two/three', 'deeper\n'),
      () => bench.git('mv', 'deep', 'moved'),
      () => bench.write('moved/er/b', 'edited in its new place\n'),
      () => bench.commit({ c: 'committed\n' }),
      () => bench.remove('new'),
      () => bench.write('.gitignore', 'c\n'),
      () => bench.git('checkout', '-q', 'HEAD~1'),
    ];
    for (const [at, step] of steps.entries()) {
      step();
      const [known, looked] = [
        await tracked.checkpoint({ freshness: 'exact' }),
        await plain.checkpoint({ freshness: 'exact' }),
      ];
      expect(known, `after step ${at}`).toBe(looked);
    }
    await bench.dispose();
  }, 60_000);
});

describe('lines counted here', () => {
  it('are those that git counts, wherever they are counted', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'counts-')));
    let counted = 0;
    const line = fc.oneof(
      fc.constantFrom('', '}', '  return;', 'same', 'other'),
      fc.nat(60).map((n) => `line ${n}`),
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 60 }), fc.boolean())
      .map(([lines, end]) => lines.join('\n') + (end ? '\n' : ''));
    const edited = fc.tuple(
      text,
      fc.array(fc.tuple(fc.nat(60), fc.nat(3), fc.array(line, { maxLength: 4 })), { maxLength: 4 }),
    );
    const pairs = fc.sample(edited, 300).map(([before, changes]) => {
      const lines = before.split('\n');
      for (const [at, count, come] of changes) lines.splice(at % (lines.length + 1), count, ...come);
      return [before, lines.join('\n')] as const;
    });
    mkdirSync(join(folder, 'a'));
    mkdirSync(join(folder, 'b'));
    for (const [at, [before, after]] of pairs.entries()) {
      writeFileSync(join(folder, 'a', `${at}`), before);
      writeFileSync(join(folder, 'b', `${at}`), after);
    }
    const said = new Map(numstat(folder));
    for (const [at, [before, after]] of pairs.entries()) {
      const here = countLines(Buffer.from(before), Buffer.from(after));
      if (!here) continue;
      counted++;
      const git = said.get(`${at}`) ?? '0 0';
      expect(here === 'binary' ? here : `${here.added} ${here.removed}`, JSON.stringify([before, after])).toBe(git);
    }
    rmSync(folder, { recursive: true });
    expect(counted).toBeGreaterThan(150);
  });

  it('say what is binary, and leave large rewrites to git', () => {
    expect(countLines(Buffer.from('a\0b'), Buffer.from('a'))).toBe('binary');
    const lines = (of: string) =>
      Buffer.from(Array.from({ length: 400 }, (_, n) => `${n % 3 ? of : 'x'}${n}\n`).join(''));
    expect(countLines(lines('a'), lines('b'))).toBeUndefined();
  });
});

function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, depth) => names.slice(0, depth + 1).join('/'));
}

/** What `git diff --numstat` says of two folders, by file name. */
function numstat(folder: string): [string, string][] {
  try {
    execFileSync('git', ['diff', '--no-index', '--numstat', '-z', '--no-renames', 'a', 'b'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return [];
  } catch (error) {
    const fields = String((error as { stdout: Buffer }).stdout).split('\0');
    const found: [string, string][] = [];
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const [added, removed] = (fields[at] ?? '').split('\t');
      found.push([(fields[at + 1] ?? '').slice(2), `${added} ${removed}`]);
    }
    return found;
  }
}
