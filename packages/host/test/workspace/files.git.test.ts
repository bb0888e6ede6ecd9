import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench, check } from './harness.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

interface Case {
  readonly name: string;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly prepare?: () => void;
  readonly change: () => void;
  readonly expected: readonly string[];
}

/** What git may get wrong; the contract suite has the rest. */
const CASES: Case[] = [
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

it('a file that cannot be read leaves the others right', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root can read every file: run it as somebody else');
  bench.commit({ a: 'x\n' });
  const workspace = bench.open().open(bench.folder);
  const before = await workspace.checkpoint({ freshness: 'exact' });
  bench.write('secret', 'x', 0o000);
  bench.write('a', 'y\n');
  const changes = await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }));
  expect(changes.map(({ after }) => after?.path)).toEqual(['a']);
});
