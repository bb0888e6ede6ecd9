import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, GitRefusal } from '../../shared/git/git.js';
import { readSmallFile } from '../../shared/git/read-small-file.js';
import { findRepository, type Repository } from '../../shared/git/repository.js';
import { MAX_DIFFED_FILE_BYTES, MAX_NEW_FILES } from '../limits.js';
import { LeftOut } from '../states/left-out.js';
import { seedIndex } from './seed-index.js';
import { findSettings, fingerprintOf, type Settings } from './settings.js';

/** Ignored in folders without a repository, where no .gitignore says what is generated. */
const USUAL_IGNORES = [
  ...['node_modules/', 'bower_components/', '.pnpm-store/', '.yarn/cache/', 'vendor/bundle/'],
  ...['.venv/', 'venv/', '__pycache__/', '.tox/', '.mypy_cache/', '.pytest_cache/', '*.pyc'],
  ...['target/', 'dist/', 'build/', 'out/', '.gradle/', '.next/', '.nuxt/', '.turbo/', '.parcel-cache/', '.cache/'],
  ...['.terraform/', '.direnv/', '.idea/', '.vs/', '*.swp', '.DS_Store', 'Thumbs.db'],
];

/** Stores every file byte for byte: no line ends converted, no filters run, whatever the folder's attributes say. */
const RAW_ATTRIBUTES = '* -text -ident -filter -working-tree-encoding\n';

/** The host's own bare repository for a user's folder. Its index and objects are separate from the user's. */
export interface Shadow {
  readonly repository: Repository | undefined;
  /** Why the repository that is there is not used. */
  readonly problem: string | undefined;
  /** What scans leave out. */
  readonly leftOut: LeftOut;
  readonly folder: string;
  readonly directory: string;
  /** The top of the user's work tree, or the folder itself if there is no repository. */
  readonly top: string;
  readonly objectFormat: string;
  /** Git for the user's repository. */
  readonly git: Git;
  /** Runs git at the top of the work tree, with the host's index and objects. */
  run(args: readonly string[], options?: RunOptions): Promise<Buffer>;
  /** The same, with a git that this signal stops as well. */
  until(signal: AbortSignal | undefined): Shadow;
  /** Files outside the folder that configure git for it. */
  readonly settings: Settings;
  /** Copies the user's current ignore rules. */
  refresh(): Promise<void>;
}

interface RunOptions {
  readonly input?: string | Buffer;
  readonly index?: string;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: (chunk: Buffer) => void;
  readonly accept?: readonly number[];
}

export async function openShadow(
  git: Git,
  folder: string,
  directory: string,
  leftOut = new LeftOut(directory, MAX_NEW_FILES),
): Promise<Shadow> {
  const { repository, problem } = await findUsable(git, folder);
  const index = join(directory, 'index');
  // The work tree is that of the user's repository, so that ignore files above the folder count as well.
  const top = repository?.top ?? folder;
  const runWith =
    (its: Git): Shadow['run'] =>
    (args, { index: other = index, ...options } = {}) =>
      its.run([...SETTINGS, ...args], {
        cwd: top,
        env: { GIT_DIR: directory, GIT_WORK_TREE: top, GIT_INDEX_FILE: other, ...KEEPS_MEMORY },
        ...options,
      });
  const run = runWith(git);
  const format = repository?.objectFormat ?? 'sha1';
  // objects/info is the last thing `git init` creates, so an interrupted init is repeated, which is harmless.
  if (!(await exists(join(directory, 'objects', 'info'))))
    await git.run(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, directory], { cwd: '/' });
  await mkdir(join(directory, 'info'), { recursive: true });
  await writeFile(join(directory, 'info', 'attributes'), RAW_ATTRIBUTES);
  // The user's objects can be read through this one, so a committed file needs no copy until a change shows it.
  // They stay readable while the repository itself cannot be used.
  if (problem === undefined)
    await writeFile(join(directory, 'objects', 'info', 'alternates'), repository ? `${repository.objects}\n` : '');
  if (repository && !(await exists(index))) await seedIndex(git, repository, folder, index, run);
  const settings = await findSettings(git, folder, repository);
  let copiedRules: string | undefined;
  const refresh = async () => {
    const rules = repository && fingerprintOf(repository.exclude);
    if (copiedRules === (rules ?? '')) return;
    await writeIgnores(repository, directory);
    copiedRules = rules ?? '';
  };
  const shadowOf = (its: Git): Shadow => ({
    repository,
    problem,
    leftOut,
    settings,
    git: its,
    run: runWith(its),
    until: (signal) => shadowOf(its.until(signal)),
    folder,
    directory,
    top,
    objectFormat: format,
    refresh,
  });
  return shadowOf(git);
}

/** Without a repository that git can use, files are remembered as in any other folder, and users are told why. */
async function findUsable(git: Git, folder: string): Promise<Pick<Shadow, 'repository' | 'problem'>> {
  try {
    const repository = await findRepository(git, folder);
    if (repository) await git.run(['ls-files', '-z', '--', '.git'], { cwd: folder }); // lists nothing, but reads the index
    return { repository, problem: undefined };
  } catch (error) {
    if (!(error instanceof GitRefusal)) throw error;
    return { repository: undefined, problem: error.message };
  }
}

/**
 * Makes malloc keep freed memory. Most Linux C libraries return it after each file and ask for it again, which takes
 * four fifths of the time of packing many files.
 */
const KEEPS_MEMORY = {
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024 * 1024),
  MALLOC_TOP_PAD_: String(16 * 1024 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(32 * 1024 * 1024),
};

/** With sparseCheckout, git notices when a file that a sparse checkout left out appears. */
const SETTINGS = [
  'core.sparseCheckout=true',
  'core.splitIndex=false',
  'gc.auto=0',
  `core.bigFileThreshold=${MAX_DIFFED_FILE_BYTES}`,
].flatMap((setting) => ['-c', setting]);

async function writeIgnores(repository: Repository | undefined, directory: string): Promise<void> {
  const ignores = repository ? ((await readSmallFile(repository.exclude)) ?? '') : `${USUAL_IGNORES.join('\n')}\n`;
  await writeFile(join(directory, 'info', 'exclude'), ignores);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
