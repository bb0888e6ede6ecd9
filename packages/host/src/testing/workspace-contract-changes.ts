import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A change of files between two checkpoints. Each case has a subfolder of its own. */
export interface ChangeCase {
  readonly name: string;
  readonly before?: (place: CasePlace) => void;
  readonly change: (place: CasePlace) => void;
  /** For each change the path before, the path after, lines added and lines removed. */
  readonly expected: readonly string[];
}

/** What a case can do to its files. */
export interface CasePlace {
  at(path: string): string;
  write(path: string, content: string | Uint8Array): void;
  /** Twenty lines that no other case has, so that no file is mistaken for one that another case moved. */
  readonly lines: string;
}

export function placeOf(folder: string, { name }: ChangeCase): CasePlace {
  const at = (path: string) => join(folder, name, path);
  return {
    at,
    write(path, content) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    },
    lines: Array.from({ length: 20 }, (_, n) => `${name}, line ${n}\n`).join(''),
  };
}

const withLines = ({ write, lines }: CasePlace) => write('a', lines);

export const CHANGE_CASES: readonly ChangeCase[] = [
  { name: 'nothing', before: withLines, change: withLines, expected: [] },
  { name: 'created', change: ({ write, lines }) => write('deep/er/new', lines), expected: [' deep/er/new 20 0'] },
  {
    name: 'edited',
    before: withLines,
    change: ({ write, lines }) => write('a', `${lines}x\n`),
    expected: ['a a 1 0'],
  },
  { name: 'deleted', before: withLines, change: ({ at }) => rmSync(at('a')), expected: ['a  0 20'] },
  { name: 'renamed', before: withLines, change: ({ at }) => renameSync(at('a'), at('b')), expected: ['a b 0 0'] },
  {
    name: 'renamed and edited',
    before: withLines,
    change({ at, write, lines }) {
      rmSync(at('a'));
      write('sub/b', `${lines}x\n`);
    },
    expected: ['a sub/b 1 0'],
  },
  { name: 'copied', before: withLines, change: ({ write, lines }) => write('b', lines), expected: [' b 20 0'] },
  {
    name: 'made executable',
    before: withLines,
    change: ({ at }) => chmodSync(at('a'), 0o755),
    expected: ['a a 0 0'],
  },
  { name: 'made private', before: withLines, change: ({ at }) => chmodSync(at('a'), 0o600), expected: [] },
  { name: 'linked', before: withLines, change: ({ at }) => symlinkSync('a', at('link')), expected: [' link 1 0'] },
  {
    name: 'a file replaced by a link',
    before: withLines,
    change({ at }) {
      rmSync(at('a'));
      symlinkSync('elsewhere', at('a'));
    },
    expected: ['a a 1 20'],
  },
  {
    name: 'a link replaced by a file',
    before({ at }) {
      mkdirSync(at(''));
      symlinkSync('nowhere', at('a'));
    },
    change(place) {
      rmSync(place.at('a'));
      withLines(place);
    },
    expected: ['a a 20 1'],
  },
  {
    name: 'a file replaced by a folder',
    before: withLines,
    change({ at, write }) {
      rmSync(at('a'));
      write('a/b', 'y\n');
    },
    expected: ['a  0 20', ' a/b 1 0'],
  },
  {
    name: 'binary',
    before: ({ write }) => write('a', Buffer.from([0, 1, 2])),
    change: ({ write }) => write('a', Buffer.from([0, 255, 10, 13, 0])),
    expected: ['a a - -'],
  },
  { name: 'created empty', change: ({ write }) => write('empty', ''), expected: [' empty 0 0'] },
  { name: 'emptied', before: withLines, change: ({ write }) => write('a', ''), expected: ['a a 0 20'] },
  {
    name: 'no newline at the end',
    before: withLines,
    change: ({ write, lines }) => write('a', lines.trimEnd()),
    expected: ['a a 1 1'],
  },
  {
    name: 'other line ends',
    before: ({ write }) => write('a', 'x\r\ny\r\n'),
    change: ({ write }) => write('a', 'x\r\nz\r\n'),
    expected: ['a a 1 1'],
  },
];
