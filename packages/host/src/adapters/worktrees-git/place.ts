import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { WorktreePlace } from '../../ports/worktrees.js';
import { MAX_NAME_CHARS } from './limits.js';

/** Where a session's work tree would be. Only searches for `.git` upwards, because a request waits for the answer. */
export function placeOf(directory: string, folder: string, session: string): WorktreePlace | undefined {
  const top = topOf(folder);
  if (top === undefined) return undefined;
  const name = basename(top)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_NAME_CHARS);
  // A hash of the whole URI, which may contain anything: two sessions must never share a work tree.
  const unique = createHash('sha256').update(session).digest('hex').slice(0, UNIQUE_CHARS);
  const path = join(directory, `${name || 'repository'}-${unique}`);
  return { top, path, folder: join(path, relative(top, folder)) };
}

const UNIQUE_CHARS = 12;

function topOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
