import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { WorktreeLocation } from '../../ports/worktrees.js';
import { MAX_NAME_CHARS } from './limits.js';

/** Where a session's work tree would be. Only searches for `.git` upwards, because a request waits for the answer. */
export function locationOf(directory: string, folder: string, session: string): WorktreeLocation | undefined {
  const top = topOf(folder);
  if (top === undefined) return undefined;
  const name = basename(top)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_NAME_CHARS);
  // A hash of the whole URI, which may contain anything: two sessions must never share a work tree.
  const unique = createHash('sha256').update(session).digest('hex').slice(0, UNIQUE_CHARS);
  const path = join(directory, `${name || 'repository'}-${unique}`);
  return { top, repository: repositoryOf(top), path, folder: join(path, relative(top, folder)) };
}

const UNIQUE_CHARS = 12;

function topOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** As `git rev-parse --git-common-dir` says: all work trees of a repository lead to the same folder. */
function repositoryOf(top: string): string {
  const entry = join(top, '.git');
  try {
    if (statSync(entry).isDirectory()) return realpathSync(entry);
    const own = resolve(
      top,
      readFileSync(entry, 'utf8')
        .replace(/^gitdir: /, '')
        .trim(),
    );
    const shared = join(own, 'commondir'); // a submodule has none
    return realpathSync(existsSync(shared) ? resolve(own, readFileSync(shared, 'utf8').trim()) : own);
  } catch {
    return entry; // git will say what is wrong with it
  }
}
