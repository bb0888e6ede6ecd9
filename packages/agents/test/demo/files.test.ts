import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { planAppend, planDelete, planRename, planWrite } from '../../src/demo/files/change.js';
import { countChangedLines, MAX_EXACT_DIFFERENCES } from '../../src/demo/files/count-lines.js';
import { Folder } from '../../src/demo/files/folder.js';
import { writeAtomically } from '../../src/demo/files/write-atomically.js';
import { emptyFolder, makeFolder, removeFolder } from './support/rig.js';

const folder = makeFolder();
const outside = makeFolder();
beforeEach(() => {
  emptyFolder(folder);
  emptyFolder(outside);
});
afterAll(() => {
  removeFolder(folder);
  removeFolder(outside);
});

describe('a change', () => {
  it.each([
    ['write', () => planWrite(new Folder(folder), { path: 'a', text: 'mine' })],
    ['append', () => planAppend(new Folder(folder), { path: 'a', text: 'mine' })],
    ['delete', () => planDelete(new Folder(folder), { path: 'a' })],
    ['rename', () => planRename(new Folder(folder), { from: 'a', to: 'b' })],
  ])('is not made when the file changed in the last moment: %s', (_, plan) => {
    writeFileSync(join(folder, 'a'), 'before');
    const change = plan();
    writeFileSync(join(folder, 'a'), 'theirs');
    expect(() => change.apply()).toThrow(/changed by somebody else/);
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('theirs');
  });

  it('is not made when a new file appeared where it would be written', () => {
    const write = planWrite(new Folder(folder), { path: 'a', text: 'mine' });
    writeFileSync(join(folder, 'from'), 'x');
    const rename = planRename(new Folder(folder), { from: 'from', to: 'a' });
    writeFileSync(join(folder, 'a'), 'theirs');
    expect(() => write.apply()).toThrow(/changed/);
    expect(() => rename.apply()).toThrow(/changed/);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('theirs');
  });

  it('is not made when a folder on the way became a link to somewhere else', () => {
    mkdirSync(join(folder, 'dir'));
    const change = planWrite(new Folder(folder), { path: 'dir/a', text: 'mine' });
    execFileSync('rm', ['-r', join(folder, 'dir')]);
    symlinkSync(outside, join(folder, 'dir'));
    expect(() => change.apply()).toThrow(/outside/);
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('writing', () => {
  it('keeps the mode that a file has, whatever the mask', () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'x');
    chmodSync(path, 0o666);
    writeAtomically(path, Buffer.from('y'), 0o666);
    expect(statSync(path).mode & 0o777).toBe(0o666);
  });

  it('leaves nothing behind when it fails', () => {
    mkdirSync(join(folder, 'dir', 'full'), { recursive: true });
    expect(() => writeAtomically(join(folder, 'dir'), Buffer.from('y'), undefined)).toThrow();
    expect(readdirSync(folder)).toEqual(['dir']);
    expect(existsSync(join(folder, 'dir', 'full'))).toBe(true);
  });
});

describe('counted lines', () => {
  it.each([
    ['', '', 0, 0],
    ['', 'a', 1, 0],
    ['a\nb\n', '', 0, 2],
    ['a', 'a\n', 1, 1],
    ['a\nb\nc\n', 'a\nc\n', 0, 1],
    ['a\nb\nc\n', 'a\nx\ny\nc\n', 2, 1],
    ['a\r\nb\r\n', 'a\nb\n', 2, 2],
  ])('%j -> %j: +%i -%i', (before, after, added, removed) => {
    expect(countChangedLines(before, after)).toEqual({ added, removed });
  });

  it('are those of git', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
    const file = fc.tuple(lines, fc.boolean()).map(([all, ended]) => all.join('\n') + (ended ? '\n' : ''));
    fc.assert(
      fc.property(file, file, (before, after) => {
        expect(countChangedLines(before, after)).toEqual(gitCounts(before, after));
      }),
      { numRuns: 60 },
    );
  });

  it('count everything as replaced when too much differs', () => {
    const many = (prefix: string) =>
      Array.from({ length: MAX_EXACT_DIFFERENCES }, (_, n) => `${prefix}${n}\n`).join('');
    const counts = countChangedLines(`same\n${many('a')}`, `same\n${many('b')}`);
    expect(counts).toEqual({ added: MAX_EXACT_DIFFERENCES, removed: MAX_EXACT_DIFFERENCES });
  });
});

function gitCounts(before: string, after: string): { added: number; removed: number } {
  writeFileSync(join(folder, 'before'), before);
  writeFileSync(join(folder, 'after'), after);
  const args = ['diff', '--no-index', '--numstat', '--', 'before', 'after'];
  try {
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    return { added: 0, removed: 0 };
  } catch (error) {
    const { stdout } = error as { stdout: string };
    const [added, removed] = stdout.split('\t').map(Number);
    return { added: added ?? Number.NaN, removed: removed ?? Number.NaN };
  }
}
