import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Git, GitRefusal } from './git.js';
import { readSmallFile } from './read-small-file.js';

/** What the user allows the host to do with repositories. */
export interface RepositoryRules {
  /** Whether a real path lies in the folders that sessions may use. */
  mayUse?(path: string): boolean;
  /** Whether a real path lies in a folder whose repositories may run the programs that they configure. */
  trusts?(path: string): boolean;
}

/** Where a repository is, as real paths. */
export interface RepositoryFolders {
  /** The folder in which `.git` was found. */
  readonly top: string;
  readonly gitFolder: string;
  /** What all work trees of the repository share; usually the same as `gitFolder`. */
  readonly commonFolder: string;
}

/**
 * Refuses a folder whose `.git` leads to a repository elsewhere: an agent could write such a file, and have the host
 * read that repository or commit into it. A folder without a repository is fine.
 */
export async function assertOwnRepository(git: Git, folder: string): Promise<void> {
  const folders = await findRepository(folder);
  if (!folders || (await isAllowed(git, folders))) return;
  const outside = [folders.gitFolder, folders.commonFolder].find((path) => !git.user.rules?.mayUse?.(path));
  throw new GitRefusal(
    `${join(folders.top, '.git')} leads to ${outside}, outside the folders that this host may use; ` +
      `add that folder with --root, or start the host with --trust for both if you trust them`,
  );
}

/** Whether the user has allowed the repository of a folder to run what it configures. */
export async function isTrusted(git: Git, folder: string): Promise<boolean> {
  const folders = git.user.rules?.trusts && (await findRepository(folder));
  return folders !== undefined && areTrusted(git, folders);
}

async function isAllowed(git: Git, folders: RepositoryFolders): Promise<boolean> {
  const { top, gitFolder, commonFolder } = folders;
  const { mayUse } = git.user.rules ?? {};
  if (gitFolder === commonFolder && gitFolder === join(top, '.git')) return true;
  if (mayUse?.(gitFolder) && mayUse(commonFolder)) return true;
  return areTrusted(git, folders) || (await isLinkedWorkTree(folders)) || (await isSubmodule(git, folders));
}

/** Both: the configuration of a work tree is in its own git folder. */
function areTrusted(git: Git, { gitFolder, commonFolder }: RepositoryFolders): boolean {
  const { trusts } = git.user.rules ?? {};
  return trusts !== undefined && [gitFolder, commonFolder].every((path) => trusts(path));
}

/** Whether the repository itself lists the folder as one of its work trees. */
export async function isLinkedWorkTree({ top, gitFolder, commonFolder }: RepositoryFolders): Promise<boolean> {
  if (gitFolder !== join(commonFolder, 'worktrees', basename(gitFolder))) return false;
  const back = (await readSmallFile(join(gitFolder, 'gitdir')))?.trim();
  if (!back || basename(back) !== '.git') return false;
  return (await realPath(dirname(resolve(gitFolder, back)))) === top;
}

/** Whether the repository itself names the folder as its work tree. */
async function isSubmodule(git: Git, { top, gitFolder, commonFolder }: RepositoryFolders): Promise<boolean> {
  if (gitFolder !== commonFolder) return false;
  const ask = ['config', '--file', join(gitFolder, 'config'), '--get', 'core.worktree'];
  const back = await git.run(ask, { cwd: '/', accept: [1] }).catch(() => '');
  const path = back.toString().trim();
  return path !== '' && (await realPath(resolve(gitFolder, path))) === top;
}

/** Finds the repository that git would use in a folder. Throws where git must not use the one that it would find. */
export async function findRepository(folder: string): Promise<RepositoryFolders | undefined> {
  const start = await realPath(folder);
  if (start === undefined) return undefined; // git says what is wrong with the folder
  for (let top = start; ; top = dirname(top)) {
    const folders = await placeAt(top);
    if (folders) return folders;
    // Git before 2.38 does not know the setting safe.bareRepository.
    if (await isGitFolder(top))
      throw new GitRefusal(`${top} is not a git repository with files, but a bare one; git is not used there`);
    if (dirname(top) === top) return undefined;
  }
}

async function placeAt(top: string): Promise<RepositoryFolders | undefined> {
  const link = join(top, '.git');
  const found = await lstat(link).catch(() => undefined);
  if (!found) return undefined;
  const named = found.isFile() ? /^gitdir: (.+)$/m.exec((await readSmallFile(link)) ?? '')?.[1] : link;
  const gitFolder = named && (await realPath(resolve(top, named)));
  if (!gitFolder || !(await isGitFolder(gitFolder))) return undefined;
  const common = (await readSmallFile(join(gitFolder, 'commondir')))?.trim();
  const commonFolder = common ? await realPath(resolve(gitFolder, common)) : gitFolder;
  return { top, gitFolder, commonFolder: commonFolder ?? gitFolder };
}

/** As git recognizes one. */
async function isGitFolder(path: string): Promise<boolean> {
  const has = (name: string) =>
    lstat(join(path, name)).then(
      () => true,
      () => false,
    );
  return (await has('HEAD')) && (((await has('objects')) && (await has('refs'))) || (await has('commondir')));
}

function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
