import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_TELEMETRY, type Telemetry } from '../../src/ports/telemetry.js';
import { apply, edits } from './edits.js';
import { Bench, contentOf } from './harness.js';

/** More of them in `npm run test:faults`. */
const RUNS = Number(process.env.FAULTS_RUNS ?? 6);

let bench: Bench;
let runs: string[];
beforeEach(() => {
  bench = new Bench();
  runs = [];
});
afterEach(() => bench.dispose());

/** A folder that nobody watches: each look is at everything. Each git command is written down. */
function unwatched() {
  const telemetry: Telemetry = {
    ...NO_TELEMETRY,
    isOn: true,
    startSpan: (name, attributes) => {
      runs.push(name);
      return NO_TELEMETRY.startSpan(name, attributes);
    },
  };
  return bench.open({ tracks: false, telemetry }).open(bench.folder);
}

/** What is found by somebody who has never looked before. */
let strangers = 0;
function foundAnew(): Promise<string> {
  return bench
    .open({ tracks: false, directory: `stranger-${strangers++}` })
    .open(bench.folder)
    .checkpoint({ freshness: 'exact' });
}

describe('a look at everything', () => {
  it(
    'finds what a first look does, however little has changed since the last one',
    async () => {
      await fc.assert(
        fc.asyncProperty(edits, fc.array(edits, { minLength: 1, maxLength: 3 }), async (first, later) => {
          await bench.dispose();
          bench = new Bench();
          apply(bench.folder, first);
          bench.commit({ '.gitignore': 'sub/deep\n' });
          const workspace = unwatched();
          await workspace.checkpoint({ freshness: 'exact' });
          for (const change of later) {
            apply(bench.folder, change);
            expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(await foundAnew());
          }
        }),
        { numRuns: RUNS },
      );
    },
    60_000 + RUNS * 10_000,
  );

  it('reads a few files without having git write its index, and finds all of them again in the next look', async () => {
    bench.commit({ a: 'x\n', 'sub/b': 'b\n', '.gitignore': 'ignored\n' });
    const workspace = unwatched();
    const begin = await workspace.checkpoint({ freshness: 'exact' });
    const steps = [
      () => bench.write('a', 'y\n'),
      () => bench.write('sub/b', 'c\n', 0o755),
      () => bench.write('new/c', 'd\n'),
      () => bench.write('ignored', 'e\n'),
      () => bench.remove('sub'),
      () => bench.write('a', 'x\n'),
      () => bench.remove('new'),
      () => bench.write('sub/b', 'b\n', 0o644),
    ];
    for (const [at, step] of steps.entries()) {
      runs = [];
      step();
      const state = await workspace.checkpoint({ freshness: 'exact' });
      expect(new Set(runs), `step ${at}`).toEqual(new Set(['git ls-files']));
      expect(state, `step ${at}`).toBe(await foundAnew());
    }
    expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(begin);
  });

  it('runs git once, and asks again what is ignored when rules have changed, also those in an ignored file', async () => {
    bench.commit({ a: 'x\n', 'sub/b': 'b\n', '.gitignore': '*.tmp\n' });
    bench.write('sub/new', 'not committed\n');
    const workspace = unwatched();
    await workspace.checkpoint({ freshness: 'watched' });
    await vi.waitUntil(async () => {
      runs = [];
      await workspace.checkpoint({ freshness: 'watched' });
      return runs.length === 1; // rules that were written a moment ago may change unnoticed
    });
    const steps = [
      () => bench.write('sub/.gitignore', '*\n'), // ignores itself, and what the host has in its index
      () => bench.write('sub/.gitignore', '!\n'),
      () => bench.git('add', '-f', 'a'),
      () => bench.write('.git/info/exclude', 'sub/new\n'),
      () => bench.write('.git/info/exclude', '\n'),
      () => {
        bench.write('b.tmp', 'ignored\n');
        bench.git('add', '-f', 'b.tmp');
      },
      () => bench.remove('b.tmp'),
      () => bench.write('b.tmp', 'ignored, committed, and back\n'),
    ];
    for (const [at, step] of steps.entries()) {
      step();
      expect(await workspace.checkpoint({ freshness: 'exact' }), `step ${at}`).toBe(await foundAnew());
    }
  });

  it('leaves to git what became a folder or a link, what is ignored otherwise, and repositories in the folder', async () => {
    bench.commit({ a: 'x\n', b: 'y\n', 'sub/c': 'z\n', '.gitignore': '*.tmp\n' });
    const workspace = unwatched();
    await workspace.checkpoint({ freshness: 'exact' });
    const steps = [
      () => {
        bench.remove('a');
        bench.write('a/x.log', 'a folder\n');
        bench.write('a/x.tmp', 'ignored in it\n');
      },
      () => bench.write('.gitignore', '*.log\n'),
      () => bench.write('b', 'small change after that\n'),
      () => {
        bench.remove('sub');
        symlinkSync('a', join(bench.folder, 'sub'));
      },
      () => {
        bench.git('init', '-q', join(bench.folder, 'nested'));
        bench.git('-C', join(bench.folder, 'nested'), 'commit', '-q', '--allow-empty', '-m', 'one');
      },
      () => bench.write('b', 'and after that\n'),
      () => bench.git('-C', join(bench.folder, 'nested'), 'commit', '-q', '--allow-empty', '-m', 'two'),
    ];
    for (const [at, step] of steps.entries()) {
      step();
      expect(await workspace.checkpoint({ freshness: 'exact' }), `step ${at}`).toBe(await foundAnew());
    }
  });

  it('keeps what is in the folder when the rest is let go of, also what is not in the index yet', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `file-${n}`);
    bench.commit(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    const workspaces = bench.open({ tracks: false });
    const workspace = workspaces.open(bench.folder);
    const begin = await workspace.checkpoint({ freshness: 'exact' });
    for (const name of names) bench.write(name, `only the host has ${name}\n`);
    const changes = await workspace.compare(begin, await workspace.checkpoint({ freshness: 'exact' }));
    expect(changes).toHaveLength(20);
    await workspace.retain({ ids: [], olderThan: Date.now() + 60_000 });
    for (const { after } of changes)
      expect(contentOf(await workspaces.read(workspace.id, after?.contentId ?? '')).toString()).toMatch(
        /^only the host/,
      );
  });
});
