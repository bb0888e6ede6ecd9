import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A folder of a user before each test, which becomes a repository with its first commit. */
export function useRepository() {
  let base = '';
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'ahpd-user-')));
    mkdirSync(join(base, 'work'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const at = (path: string) => join(base, 'work', path);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', at(''), ...AS_ANYBODY, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  return {
    /** A folder for all that a test needs; the user's is in it. */
    get base() {
      return base;
    },
    get folder() {
      return join(base, 'work');
    },
    at,
    git,
    write,
    /** Commits everything in the folder, and these files. */
    commit(files: Readonly<Record<string, string>> = {}): void {
      git('init', '--quiet', '--initial-branch=main');
      for (const [path, content] of Object.entries(files)) write(path, content);
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '-m', 'commit');
    },
  };
}

/** Whoever runs the tests, and whatever they have set. */
const AS_ANYBODY = ['user.name=t', 'user.email=t@t', 'commit.gpgsign=false'].flatMap((setting) => ['-c', setting]);
