import { join } from 'node:path';
import type { Git } from '../shared/git/git.js';

/** The same folder in the main work tree, if this is in a linked one and the repository is not bare. */
export async function mainFolder(git: Git, folder: string): Promise<string | undefined> {
  const [listed, places] = await Promise.all([
    git.ask(['worktree', 'list', '--porcelain'], folder), // the main one comes first
    git.ask(['rev-parse', '--show-toplevel', '--show-prefix'], folder),
  ]);
  const [first = ''] = listed?.split('\n\n') ?? [];
  const main = /^worktree (.*)$/m.exec(first)?.[1];
  const [top, prefix = ''] = places?.split('\n') ?? [];
  if (main === undefined || top === undefined || main === top || /^bare$/m.test(first)) return undefined;
  return join(main, prefix);
}
