import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitWorktrees } from '../../src/adapters/worktrees-git/index.js';
import { NO_TELEMETRY, type Telemetry } from '../../src/ports/telemetry.js';
import { useRepository } from '../../src/testing/user-repository.js';

describe('while another git process holds a lock', () => {
  const user = useRepository();

  it('a work tree is made once that is released', async () => {
    user.commit({ 'a.txt': 'a\n' });
    const lock = join(user.folder, '.git', 'refs', 'heads', 'wanted.lock');
    writeFileSync(lock, '');
    let refusals = 0;
    const telemetry: Telemetry = {
      ...NO_TELEMETRY,
      isOn: true,
      startSpan: (name) => ({
        end: ({ error } = {}) => {
          if (name !== 'git add' || error === undefined) return;
          refusals++;
          if (refusals === 2) rmSync(lock);
        },
      }),
    };
    const worktrees = gitWorktrees({ directory: join(user.base, 'trees'), telemetry });
    const place = worktrees.place(user.folder, 'ahp-session:/one');
    if (!place) throw new Error('no place');
    const request = { folder: user.folder, place, branchName: 'wanted', suggestedBranch: 'moorage/one' };
    const plan = await worktrees.plan(request);
    await worktrees.make(plan, {});
    expect(refusals).toBe(2);
    expect(existsSync(join(plan.path, 'a.txt'))).toBe(true);
    expect(user.git('branch', '--list', 'wanted')).toContain('wanted');
  });
});
