import { WorkspaceError } from '../../../ports/workspace.js';
import type { Git } from './git.js';

/** The user's repository, as seen from a folder in it. */
export interface Repository {
  /** The top of its work tree. */
  readonly top: string;
  /** The folder's path within the work tree; empty at its top. */
  readonly prefix: string;
  readonly objects: string;
  readonly index: string;
  readonly exclude: string;
  /** Where its commits and branches are recorded, shared by all its work trees. */
  readonly commonFolder: string;
  /** The hash that names objects: sha1 or sha256. */
  readonly objectFormat: string;
}

/** The repository whose work tree a folder belongs to, or undefined when it belongs to none. */
export async function findRepository(git: Git, folder: string): Promise<Repository | undefined> {
  const ask = [
    ...['rev-parse', '--path-format=absolute', '--show-object-format', '--show-toplevel', '--show-prefix'],
    '--git-common-dir',
  ];
  const paths = ['objects', 'index', 'info/exclude'].flatMap((path) => ['--git-path', path]);
  try {
    const [objectFormat = '', top = '', prefix = '', commonFolder = '', objects = '', index = '', exclude = ''] = (
      await git.run([...ask, ...paths], { cwd: folder })
    )
      .toString()
      .split('\n');
    return { top, prefix: prefix.replace(/\/$/, ''), objects, index, exclude, commonFolder, objectFormat };
  } catch (error) {
    // Any other error, such as a repository of another user, must be reported: without it the changes would look wrong.
    if (error instanceof WorkspaceError && /not a git repository|must be run in a work tree/.test(error.message))
      return undefined;
    throw error;
  }
}

/** For each local branch: whether it is checked out, its name, its upstream, ..., as `listBranches` asks for them. */
export type Branches = readonly (readonly string[])[];

/** The local branches, and what `origin/HEAD` leads to. */
export async function listBranches(git: Git, folder: string): Promise<Branches> {
  const names = ['HEAD', 'refname:short', 'upstream:short', 'symref:short', 'refname', 'upstream:remoteref'];
  const fields = names.map((name) => `%(${name})`).join('%00');
  const list = await git.ask(['for-each-ref', `--format=${fields}`, 'refs/heads', 'refs/remotes/origin/HEAD'], folder);
  return list?.split('\n').map((line) => line.split('\0')) ?? [];
}

/**
 * The branch to measure changes against: the wanted one, else the upstream of the current branch if that is another
 * branch, else the default. A branch that was pushed has itself as its upstream, and would have no changes.
 */
export async function findBaseBranch(
  git: Git,
  folder: string,
  wanted: string | undefined,
  branches: Branches,
): Promise<string | undefined> {
  // A name that git could take for an option, or for an expression, is not the name of a branch.
  if (wanted !== undefined && (await git.ask(['check-ref-format', '--branch', wanted], folder)) === wanted) {
    const known = await git.ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${wanted}^{commit}`], folder);
    if (known) return wanted;
  }
  const [, , tracked, , own, remoteName] = branches.find(([head]) => head === '*') ?? [];
  const upstream = remoteName === own ? undefined : tracked;
  // Git names the upstream even if it no longer exists.
  if (upstream && (await git.ask(['rev-parse', '--verify', '--quiet', '--end-of-options', upstream], folder)))
    return upstream;
  const named = (name: string) => branches.find(([, short]) => short === name)?.[1];
  return branches.find(([, , , target]) => target?.startsWith('origin/'))?.[3] ?? named('main') ?? named('master');
}

/**
 * The folder's tree in a commit; undefined before the first commit, or if the commit lacks the folder. A commit that
 * cannot be read throws: otherwise all files would look new, and discarding that change would remove them.
 */
export async function headTree(
  git: Git,
  folder: string,
  { top, prefix }: Repository,
  commit = 'HEAD',
): Promise<string | undefined> {
  const find = (what: string) => git.ask(['rev-parse', '--verify', '--quiet', what], folder);
  const tree = await find(prefix === '' ? `${commit}^{tree}` : `${commit}:${prefix}`);
  if (tree || !(await find(commit))) return tree;
  await git.run(['ls-tree', '-d', commit, '--', prefix], { cwd: top });
  return undefined;
}

/** The commit at which the current branch left the base branch. */
export function mergeBase(git: Git, folder: string, baseBranch: string): Promise<string | undefined> {
  return git.ask(['merge-base', 'HEAD', baseBranch], folder);
}
