import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Git } from '../../src/adapters/shared/git/git.js';

let folder: string;
const { PATH } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'held-output-'));
  // It ends at once; what it leaves behind keeps its output open.
  writeFileSync(join(folder, 'git'), '#!/bin/sh\nsleep 5 &\nexit 0\n');
  chmodSync(join(folder, 'git'), 0o755);
  process.env.PATH = `${folder}:${PATH}`;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true, force: true });
});

it('a git whose output something else keeps open is given up', async () => {
  await expect(new Git().run(['status'], { cwd: folder, timeoutMs: 200 })).rejects.toThrow(/did not end within/);
});
