import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findProgram } from '../src/shared/find-program.js';

const base = mkdtempSync(join(tmpdir(), 'moorage-find-program-'));
afterAll(() => rmSync(base, { recursive: true }));

function put(path: string, mode: number): string {
  const file = join(base, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, mode);
  return file;
}

it('finds the first program of a name on the path, past folders, files that cannot be run and links that lead nowhere', () => {
  put('plain/tool', 0o644);
  mkdirSync(join(base, 'folder/tool'), { recursive: true });
  mkdirSync(join(base, 'link'));
  symlinkSync(join(base, 'nowhere'), join(base, 'link/tool'));
  put('not-a-folder', 0o644);
  const program = put('first/tool', 0o755);
  put('second/tool', 0o755);
  const folders = ['missing', 'not-a-folder', 'plain', 'folder', 'link', 'first', 'second'];
  const path = ['.', ...folders.map((name) => join(base, name))].join(delimiter);
  expect(findProgram('tool', path)).toBe(program);
  expect(findProgram('other', path)).toBeUndefined();
});

it('takes a whole path as it is, and no other with slashes', () => {
  const program = put('first/tool', 0o755);
  expect(findProgram(program, '')).toBe(program);
  expect(findProgram(put('plain/tool', 0o644), '')).toBeUndefined();
  expect(findProgram('first/tool', base)).toBeUndefined();
});
