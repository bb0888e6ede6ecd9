import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runAsUser } from '../../src/adapters/folder-editor-git/user-git.js';
import { Git } from '../../src/adapters/shared/git/git.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moorage-held-'));
  execFileSync('git', ['init', '--quiet', folder]);
  // As an ssh does that keeps its connection: it goes on with the output of the git that started it.
  writeFileSync(join(folder, '.git/hooks/post-commit'), '#!/bin/sh\nsleep 600 &\necho $! > left-behind\n', {
    mode: 0o755,
  });
});
afterEach(() => {
  process.kill(Number(readFileSync(join(folder, 'left-behind'), 'utf8')));
  rmSync(folder, { recursive: true, force: true });
});

it('a git of the user is done when it has ended, whatever its hooks have left behind', async () => {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false'];
  await runAsUser(new Git(), 'git', [...who, 'commit', '--quiet', '--allow-empty', '-m', 'x'], folder);
  expect(await runAsUser(new Git(), 'git', ['log', '--format=%s'], folder)).toBe('x');
});
