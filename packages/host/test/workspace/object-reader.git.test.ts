import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { ObjectReader } from '../../src/adapters/workspace-git/objects/object-reader.js';
import { Bench } from './harness.js';

const PATH = process.env.PATH;
const MISSING = '0123456789012345678901234567890123456789';
let directory = '';
let reader: ObjectReader;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'moorage-objects-'));
  execFileSync('git', ['init', '--quiet', '--bare', directory]);
  reader = new ObjectReader(directory, nodeClock);
});

afterEach(async () => {
  await reader.close();
  process.env.PATH = PATH;
  rmSync(directory, { recursive: true, force: true });
});

it('contents, sizes and what is not there come in the order in which they were asked for', async () => {
  const texts = ['', 'a\n', `${'long '.repeat(50_000)}\n`, 'no end'];
  const ids = texts.map(store);
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(
      ids.flatMap((id) => [
        reader.read(id).then((object) => object?.content.toString()),
        reader.sizes([MISSING, id, 'no id']),
        reader.read(MISSING),
      ]),
    );
    const expected = texts.flatMap((text) => [text, [undefined, text.length, undefined], undefined]);
    expect(answers).toEqual(expected);
  }
});

it('its process ends when nothing is asked for a while, and another answers the next question', async () => {
  let rest = () => {};
  const clock = { ...nodeClock, setTimeout: (run: () => void) => (rest = run) };
  const resting = new ObjectReader(directory, clock);
  const id = store('hello\n');
  expect(await resting.sizes([id])).toEqual([6]);
  const before = readers();
  rest();
  await vi.waitUntil(() => readers().length === before.length - 1, { timeout: 30_000 });
  expect(await resting.sizes([id])).toEqual([6]);
  await resting.close();
});

/** The processes that read from this store. */
function readers(): string[] {
  const list = execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)]).toString();
  return list.split('\n').filter((line) => line.includes(directory) && line.includes('cat-file'));
}

it('a git that does not know how to be asked for both is asked for each', async () => {
  const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
  const old = join(directory, 'git');
  writeFileSync(old, `#!/bin/sh\ncase "$*" in *--batch-command*) exit 129;; esac\nexec ${real} "$@"\n`);
  chmodSync(old, 0o755);
  process.env.PATH = `${directory}${delimiter}${PATH}`;
  const id = store('hello\n');
  const [object, sizes, missing] = await Promise.all([reader.read(id), reader.sizes([id]), reader.read(MISSING)]);
  expect([object?.content.toString(), sizes, missing]).toEqual(['hello\n', [6], undefined]);
});

function store(text: string): string {
  const args = ['--git-dir', directory, 'hash-object', '-w', '--stdin'];
  return execFileSync('git', args, { input: text }).toString().trim();
}

it('whoever asks for what is in no store starts nothing', async () => {
  const called = join(directory, 'called');
  writeFileSync(join(directory, 'git'), `#!/bin/sh\necho called > ${called}\nexit 128\n`);
  chmodSync(join(directory, 'git'), 0o755);
  process.env.PATH = `${directory}${delimiter}${PATH}`;
  const bench = new Bench();
  expect(await bench.open().read('ab'.repeat(12), MISSING)).toBeUndefined();
  expect(existsSync(called)).toBe(false);
  await bench.dispose();
});
