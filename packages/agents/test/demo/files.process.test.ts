import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentFiles } from '@moorage/host/ports';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { planAppend, planDelete, planRename, planWrite } from '../../src/shared/files/change.js';
import { countChangedLines } from '../../src/shared/files/count-lines.js';
import { emptyFolder, filesOf, makeFolder, removeFolder } from './support/rig.js';

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
    ['write', (files: AgentFiles) => planWrite(files, { path: 'a', text: 'mine' })],
    ['append', (files: AgentFiles) => planAppend(files, { path: 'a', text: 'mine' })],
    ['delete', (files: AgentFiles) => planDelete(files, { path: 'a' })],
    ['rename', (files: AgentFiles) => planRename(files, { from: 'a', to: 'b' })],
  ])('is not made when the file changed in the last moment: %s', async (_, plan) => {
    writeFileSync(join(folder, 'a'), 'before');
    const change = await plan(filesOf(folder));
    writeFileSync(join(folder, 'a'), 'theirs');
    await expect(change.apply()).rejects.toThrow(/changed by somebody else/);
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('theirs');
  });

  it('is not made when a new file appeared where it would be written', async () => {
    const write = await planWrite(filesOf(folder), { path: 'a', text: 'mine' });
    writeFileSync(join(folder, 'from'), 'x');
    const rename = await planRename(filesOf(folder), { from: 'from', to: 'a' });
    writeFileSync(join(folder, 'a'), 'theirs');
    await expect(write.apply()).rejects.toThrow(/changed/);
    await expect(rename.apply()).rejects.toThrow(/already exists/);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('theirs');
  });

  it('is not made when a folder on the way became a link to somewhere else', async () => {
    mkdirSync(join(folder, 'dir'));
    const change = await planWrite(filesOf(folder), { path: 'dir/a', text: 'mine' });
    execFileSync('rm', ['-r', join(folder, 'dir')]);
    symlinkSync(outside, join(folder, 'dir'));
    await expect(change.apply()).rejects.toThrow(/outside/);
    expect(readdirSync(outside)).toEqual([]);
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
    // Git leaves lines out of its search that stand in the other file again and again.
    const lines = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 12 });
    const file = fc.tuple(lines, fc.boolean()).map(([all, ended]) => all.join('\n') + (ended ? '\n' : ''));
    fc.assert(
      fc.property(file, file, (before, after) => {
        expect(countChangedLines(before, after)).toEqual(gitCounts(before, after));
      }),
      { numRuns: 60 },
    );
  });

  it('count everything as replaced when too much differs', () => {
    const many = (prefix: string) => Array.from({ length: 5_000 }, (_, n) => `${prefix}${n}\n`).join('');
    const counts = countChangedLines(`same\n${many('a')}`, `same\n${many('b')}`);
    expect(counts).toEqual({ added: 5_000, removed: 5_000 });
  });
});

function gitCounts(before: string, after: string): { added: number; removed: number } {
  writeFileSync(join(folder, 'before'), before);
  writeFileSync(join(folder, 'after'), after);
  const args = ['diff', '--no-index', '--minimal', '--numstat', '--', 'before', 'after']; // without it git takes short cuts
  try {
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    return { added: 0, removed: 0 };
  } catch (error) {
    const { stdout } = error as { stdout: string };
    const [added, removed] = stdout.split('\t').map(Number);
    return { added: added ?? Number.NaN, removed: removed ?? Number.NaN };
  }
}
