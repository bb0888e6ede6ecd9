import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { RepositoryFacts } from '../../ports/user-repository.js';
import { type Git, GitRefusal } from '../shared/git/git.js';
import { inPlainView } from '../shared/git/plain-view.js';
import type { Scratch } from '../shared/git/scratch.js';

/** Answers a question about the repository, possibly as it was answered before if nothing in the repository changed since. */
export type Remember = <T>(question: string, ask: () => Promise<T>) => Promise<T>;

/** Facts about the repository of a folder. After an edit of a file, only `dirty` has to be asked for again. It needs a scratch folder. */
export async function repositoryFacts(
  git: Git,
  folder: string,
  remember: Remember = (_question, ask) => ask(),
  scratch?: Scratch,
): Promise<RepositoryFacts> {
  const lasting = await remember('lastingFacts', () => lastingFacts(git, folder));
  if (!lasting) return { git: false };
  const { url, ...facts } = lasting;
  const dirty = scratch && (await isDirty(git, folder, scratch, remember));
  return { git: true, ...facts, ...(dirty !== undefined && { dirty }), ...(url && { forge: await findForge(url) }) };
}

async function isDirty(git: Git, folder: string, scratch: Scratch, remember: Remember): Promise<boolean> {
  try {
    const status = ['status', '--porcelain', '--ignore-submodules=dirty'];
    return (await inPlainView(git, { folder, scratch, remember }, (run) => run(status))).length > 0;
  } catch (error) {
    if (error instanceof GitRefusal) return false;
    throw error;
  }
}

type LastingFacts = Pick<RepositoryFacts, 'branch' | 'hasCommit' | 'linked' | 'remote'> & { readonly url?: string };

/** Facts that an edit of a file does not change. Undefined without a repository. */
async function lastingFacts(git: Git, folder: string): Promise<LastingFacts | undefined> {
  const ask = (...args: string[]) => git.ask(args, folder);
  const places = await ask(
    'rev-parse',
    '--path-format=absolute',
    '--git-dir',
    '--git-common-dir',
    '--is-inside-work-tree',
  );
  const [own, common, isInside] = places?.split('\n') ?? [];
  if (isInside !== 'true') return undefined;
  const [branch, head, remotes] = await Promise.all([
    ask('symbolic-ref', '--short', '--quiet', 'HEAD'),
    ask('rev-parse', '--verify', '--quiet', 'HEAD'),
    ask('remote'),
  ]);
  const remote = await chooseRemote(remotes?.split('\n').filter(Boolean) ?? [], branch, ask);
  const url = remote && (await ask('remote', 'get-url', remote));
  return {
    ...(branch && { branch }),
    hasCommit: head !== undefined,
    linked: own !== common,
    ...(remote && { remote }),
    ...(url && { url }),
  };
}

/** The remote that the branch is configured for, else `origin`, else the first one. */
async function chooseRemote(
  remotes: readonly string[],
  branch: string | undefined,
  ask: (...args: string[]) => Promise<string | undefined>,
): Promise<string | undefined> {
  const configured = branch && (await ask('config', '--get', `branch.${branch}.remote`));
  if (configured && remotes.includes(configured)) return configured;
  return remotes.includes('origin') ? 'origin' : remotes[0];
}

async function findForge(url: string): Promise<NonNullable<RepositoryFacts['forge']>> {
  const host = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?([^/:]+)[/:]/.exec(url)?.[1] ?? '';
  const tool = /gitlab/i.test(host) ? 'glab' : /github/i.test(host) ? 'gh' : undefined;
  if (!tool) return { missing: `no supported tool opens pull requests at ${host || url}` };
  return (await isOnPath(tool)) ? { tool } : { missing: `install "${tool}" to open pull requests at ${host}` };
}

async function isOnPath(program: string): Promise<boolean> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const found = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}
