import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git, GitOptions } from './git.js';
import { readSmallFile } from './read-small-file.js';
import { isTrusted } from './repository-rules.js';
import type { Scratch } from './scratch.js';

/** Runs git on the files, index and last commit of the user's repository. */
export type RunInView = (args: readonly string[], options?: Omit<GitOptions, 'cwd' | 'env'>) => Promise<Buffer>;

interface Viewed {
  /** A folder in the work tree. */
  readonly folder: string;
  readonly scratch: Scratch;
  /** The work tree and its git folder, if the folder itself no longer says where they are. */
  readonly known?: { readonly top: string; readonly gitFolder: string };
  readonly env?: Readonly<Record<string, string>>;
  /** Returns the earlier answer if nothing in the repository has changed since. */
  readonly remember?: (<T>(question: string, ask: () => Promise<T>) => Promise<T>) | undefined;
}

/**
 * Gives git commands that read or write the user's files, and so may filter them, a view of the repository without its
 * configuration. They use a temporary git folder with a configuration of the host's own, but with the real index and
 * objects. So a filter that only the repository configures does not exist for them, whatever is written into the
 * repository meanwhile; one that the user configures for all repositories (Git LFS) works. A repository that the user
 * trusts is used as it is.
 */
export async function inPlainView<T>(git: Git, viewed: Viewed, work: (run: RunInView) => Promise<T>): Promise<T> {
  const { folder: cwd, scratch, known, env = {}, remember = (_question, ask) => ask() } = viewed;
  const place = known ? [`--git-dir=${known.gitFolder}`, `--work-tree=${known.top}`] : [];
  if (!known && (await isTrusted(git, cwd)))
    return work((args, options) => git.run(args, { ...options, cwd, env, mayFetch: true }));
  const { format, top, index, objects, rules, head, settings } = await remember('plain view', () =>
    findParts(git, place, cwd),
  );
  return scratch.use(async (directory) => {
    for (const name of ['refs', 'objects', 'info']) await mkdir(join(directory, name));
    await writeFile(join(directory, 'HEAD'), `${head ?? 'ref: refs/heads/main'}\n`);
    await writeFile(join(directory, 'config'), configuration(format));
    for (const [at, path] of rules.entries())
      await writeFile(join(directory, 'info', RULES[at] ?? ''), (await readSmallFile(path)) ?? '');
    await linkSharedIndexes(dirname(index), directory);
    const all = {
      GIT_DIR: directory,
      GIT_WORK_TREE: top,
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: objects,
      ...env,
    };
    return work((args, options) => git.run([...settings, ...args], { ...options, cwd: known?.top ?? cwd, env: all }));
  });
}

async function findParts(git: Git, place: readonly string[], cwd: string) {
  const ask = ['rev-parse', '--path-format=absolute', '--show-object-format', '--show-toplevel'];
  const names = ['index', 'objects', ...RULES.map((name) => `info/${name}`)];
  const paths = names.flatMap((name) => ['--git-path', name]);
  const lines = (await git.run([...place, ...ask, ...paths], { cwd })).toString().trimEnd().split('\n');
  const [format = '', top = '', index = '', objects = '', ...rules] = lines;
  const head = await git.ask([...place, 'rev-parse', '--verify', '--quiet', 'HEAD'], cwd);
  return { format, top, index, objects, rules, head, settings: await harmlessSettings(git, place, cwd) };
}

const RULES = ['exclude', 'attributes', 'sparse-checkout'];

function configuration(format: string): string {
  const extensions = format === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${format}\n`;
  return `[core]\n\trepositoryFormatVersion = 1\n\tbare = false\n${extensions}`;
}

/** The parts of a split index lie beside it, and git looks for them in its folder. */
async function linkSharedIndexes(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => name.startsWith('sharedindex.'));
  for (const name of names) await symlink(join(from, name), join(to, name));
}

/** The repository's settings that say how its files are stored. None of them names a program. */
async function harmlessSettings(git: Git, place: readonly string[], cwd: string): Promise<string[]> {
  const listed = (await git.run([...place, 'config', '--list', '-z'], { cwd })).toString().split('\0');
  const values = new Map<string, string>();
  for (const entry of listed) {
    const end = entry.indexOf('\n');
    const key = end < 0 ? entry : entry.slice(0, end);
    if (HARMLESS.has(key)) values.set(key, end < 0 ? 'true' : entry.slice(end + 1));
  }
  return [...values].flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

const HARMLESS = new Set([
  'core.attributesfile',
  'core.autocrlf',
  'core.bigfilethreshold',
  'core.checkstat',
  'core.eol',
  'core.excludesfile',
  'core.filemode',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
  'core.symlinks',
  'core.trustctime',
  'index.sparse',
  'status.showuntrackedfiles',
]);
