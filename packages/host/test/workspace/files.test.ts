import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench, check } from './harness.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

const LINES = Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join('');

interface Case {
  readonly name: string;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly prepare?: () => void;
  readonly change: () => void;
  readonly expected: readonly string[];
}

const at = (path: string) => join(bench.folder, path);

const CASES: Case[] = [
  { name: 'created', change: () => bench.write('deep/er/new', 'a\nb\n'), expected: [' deep/er/new 2 0'] },
  { name: 'edited', files: { a: LINES }, change: () => bench.write('a', `${LINES}x\n`), expected: ['a a 1 0'] },
  { name: 'deleted', files: { a: LINES }, change: () => bench.remove('a'), expected: ['a  0 20'] },
  { name: 'renamed', files: { a: LINES }, change: () => renameSync(at('a'), at('b')), expected: ['a b 0 0'] },
  {
    name: 'renamed and edited',
    files: { a: LINES },
    change: () => {
      bench.remove('a');
      bench.write('sub/b', `${LINES}x\n`);
    },
    expected: ['a sub/b 1 0'],
  },
  { name: 'copied', files: { a: LINES }, change: () => bench.write('b', LINES), expected: [' b 20 0'] },
  { name: 'made executable', files: { a: 'x\n' }, change: () => chmodSync(at('a'), 0o755), expected: ['a a 0 0'] },
  { name: 'created executable', change: () => bench.write('a', 'x\n', 0o755), expected: [' a 1 0'] },
  { name: 'a mode git does not know', files: { a: 'x\n' }, change: () => chmodSync(at('a'), 0o600), expected: [] },
  { name: 'linked', files: { a: 'x\n' }, change: () => symlinkSync('a', at('link')), expected: [' link 1 0'] },
  {
    name: 'a file replaced by a link',
    files: { a: 'x\n', b: LINES },
    change: () => {
      bench.remove('b');
      symlinkSync('a', at('b'));
    },
    expected: ['b b 1 20'],
  },
  {
    name: 'a link replaced by a file',
    prepare: () => symlinkSync('nowhere', at('b')),
    change: () => {
      bench.remove('b');
      bench.write('b', LINES);
    },
    expected: ['b b 20 1'],
  },
  {
    name: 'a file replaced by a folder',
    files: { a: 'x\n' },
    change: () => {
      bench.remove('a');
      bench.write('a/b', 'y\n');
    },
    expected: ['a  0 1', ' a/b 1 0'],
  },
  {
    name: 'binary',
    files: { a: Buffer.from([0, 1, 2]) },
    change: () => bench.write('a', Buffer.from([0, 255, 10, 13, 0])),
    expected: ['a a - -'],
  },
  { name: 'empty', files: { a: '' }, change: () => bench.write('b/empty', ''), expected: [' b/empty 0 0'] },
  { name: 'emptied', files: { a: 'x\n' }, change: () => bench.write('a', ''), expected: ['a a 0 1'] },
  {
    name: 'no newline at the end',
    files: { a: 'x\ny\n' },
    change: () => bench.write('a', 'x\ny'),
    expected: ['a a 1 1'],
  },
  { name: 'CRLF', files: { a: 'x\r\ny\r\n' }, change: () => bench.write('a', 'x\r\nz\r\n'), expected: ['a a 1 1'] },
  {
    name: 'CRLF that git stores as LF',
    files: { '.gitattributes': '* text=auto\n', a: 'x\r\ny\r\n', b: 'x\r\n' },
    change: () => bench.write('a', 'x\r\nz\r\n'),
    expected: ['a a 1 1'],
  },
  {
    name: 'CRLF that a setting makes git store as LF',
    prepare: () => {
      bench.git('config', 'core.autocrlf', 'true');
      bench.commit({ a: 'x\r\ny\r\n', b: 'x\r\n' });
    },
    change: () => bench.write('a', 'x\r\nz\r\n'),
    expected: ['a a 1 1'],
  },
  {
    name: 'contents that a filter replaces',
    prepare: () => {
      bench.git('config', 'filter.big.clean', 'echo pointer');
      bench.commit({ '.gitattributes': '*.big filter=big\n', 'a.big': 'one\n', 'b.big': 'one\n' });
    },
    change: () => bench.write('a.big', 'one\ntwo\n'),
    expected: ['a.big a.big 1 0'],
  },
  {
    name: 'names that are easy to get wrong',
    files: { 'a b': '1\n', '"q"': '2\n', 'new\nline': '3\n', 'tab\t': '4\n', '-dash': '5\n', 'ünï/ço∂é': '6\n' },
    change: () => {
      for (const name of [
        'a b',
        '"q"',
        'new\nline',
        'tab\t',
        '-dash',
        'ünï/ço∂é',
        ':(glob)*',
        '--all',
        '*',
        '#x',
        '!y',
        ' ',
      ])
        bench.write(name, 'changed\n');
    },
    expected: [
      '   1 0',
      ' !y 1 0',
      '"q" "q" 1 1',
      ' #x 1 0',
      ' * 1 0',
      ' --all 1 0',
      '-dash -dash 1 1',
      ' :(glob)* 1 0',
      'a b a b 1 1',
      'new\nline new\nline 1 1',
      'tab\t tab\t 1 1',
      'ünï/ço∂é ünï/ço∂é 1 1',
    ],
  },
  {
    name: 'names that are not UTF-8',
    files: { plain: 'x\n' },
    prepare: () => execFileSync('bash', ['-c', "echo 1 > $'old\\xff'; git add -A"], { cwd: bench.folder }),
    change: () => {
      execFileSync('bash', ['-c', "echo 2 >> $'old\\xff'; echo 1 > $'new\\xfe'"], { cwd: bench.folder });
      bench.write('plain', 'y\n');
    },
    expected: [' new\ufffd 1 0', 'old\ufffd old\ufffd 1 0', 'plain plain 1 1'],
  },
];

describe.each([true, false])('files (committed: %s)', (committed) => {
  it.each(CASES)('$name', async ({ files, prepare, change, expected }) => {
    bench.commit({ '.keep': '' });
    for (const [path, content] of Object.entries(files ?? {})) bench.write(path, content);
    prepare?.();
    if (committed) bench.commit();
    expect(await check(bench, change)).toEqual(expected);
  });
});

it.skipIf(process.getuid?.() === 0)('a file that cannot be read leaves the others right', async () => {
  bench.commit({ a: 'x\n' });
  const workspace = bench.open().open(bench.folder);
  const before = await workspace.checkpoint();
  bench.write('secret', 'x', 0o000);
  bench.write('a', 'y\n');
  const changes = await workspace.compare(before, await workspace.checkpoint());
  expect(changes.map(({ after }) => after?.path)).toEqual(['a']);
});
