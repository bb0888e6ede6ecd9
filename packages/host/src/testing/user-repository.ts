import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Sets up a user's folder before each test. It becomes a repository with the first `commit`. */
export function useRepository() {
  let base = '';
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-user-')));
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
    /** A folder for everything a test needs, with the user's folder in it. */
    get base() {
      return base;
    },
    get folder() {
      return join(base, 'work');
    },
    at,
    git,
    write,
    /** Writes these files and commits everything in the folder. */
    commit(files: Readonly<Record<string, string>> = {}): void {
      git('init', '--quiet', '--initial-branch=main');
      for (const [path, content] of Object.entries(files)) write(path, content);
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '-m', 'commit');
    },
  };
}

/** Keeps git independent of who runs the tests and of their settings. */
const AS_ANYBODY = ['user.name=t', 'user.email=t@t', 'commit.gpgsign=false'].flatMap((setting) => ['-c', setting]);
