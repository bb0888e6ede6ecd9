import { relative } from 'node:path';
import { git } from './git.js';

/** What the user's repository says of a folder. */
export interface Repository {
  /** Where its objects lie. */
  readonly objects: string;
  readonly index: string;
  readonly exclude: string;
  /** The folder inside the work tree; empty at its top. */
  readonly prefix: string;
}

/** The repository that a folder belongs to, or undefined when it belongs to none. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  const ask = [
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-path',
    'objects',
    '--git-path',
    'index',
    '--git-path',
    'info/exclude',
  ];
  try {
    const [top = '', objects = '', index = '', exclude = ''] = (await git(ask, { cwd: folder }))
      .toString()
      .trimEnd()
      .split('\n');
    return { objects, index, exclude, prefix: relative(top, folder) };
  } catch {
    return undefined;
  }
}

/** The branch that changes are measured against: the upstream of the current one, else the repository's default. */
export async function findBaseBranch(folder: string): Promise<string | undefined> {
  const candidates = [
    ['rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}'],
    ['rev-parse', '--abbrev-ref', 'origin/HEAD'],
    ['rev-parse', '--abbrev-ref', '--verify', 'main'],
    ['rev-parse', '--abbrev-ref', '--verify', 'master'],
  ];
  for (const args of candidates) {
    const branch = await answer(args, folder);
    if (branch && branch !== 'HEAD') return branch;
  }
  return undefined;
}

/** The part of a commit that the folder shows; undefined before the first commit. */
export function headTree(folder: string, { prefix }: Repository, commit = 'HEAD'): Promise<string | undefined> {
  return answer(
    ['rev-parse', '--verify', '--quiet', prefix === '' ? `${commit}^{tree}` : `${commit}:${prefix}`],
    folder,
  );
}

/** Where the current branch left the base branch. */
export function mergeBase(folder: string, baseBranch: string): Promise<string | undefined> {
  return answer(['merge-base', 'HEAD', baseBranch], folder);
}

/** What git prints, or undefined when it cannot say. */
async function answer(args: readonly string[], folder: string): Promise<string | undefined> {
  try {
    return (await git(args, { cwd: folder })).toString().trim() || undefined;
  } catch {
    return undefined;
  }
}
