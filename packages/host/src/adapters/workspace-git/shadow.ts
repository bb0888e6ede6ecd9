import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '../shared/git/git.js';
import { findRepository, type Repository } from '../shared/git/repository.js';
import { MAX_DIFFED_FILE_BYTES } from './limits.js';
import { seedIndex } from './seed-index.js';
import { findSettings, type Settings } from './settings.js';

/** Left out in folders without a repository, where nobody says what is generated. */
const USUAL_IGNORES = [
  ...['node_modules/', 'bower_components/', '.pnpm-store/', '.yarn/cache/', 'vendor/bundle/'],
  ...['.venv/', 'venv/', '__pycache__/', '.tox/', '.mypy_cache/', '.pytest_cache/', '*.pyc'],
  ...['target/', 'dist/', 'build/', 'out/', '.gradle/', '.next/', '.nuxt/', '.turbo/', '.parcel-cache/', '.cache/'],
  ...['.terraform/', '.direnv/', '.idea/', '.vs/', '*.swp', '.DS_Store', 'Thumbs.db'],
];

/** Every file as the bytes it has: no line ends changed, no filters run, whatever the folder's own attributes say. */
const RAW_ATTRIBUTES = '* -text -ident -filter -working-tree-encoding\n';

/** A bare repository of the host's own that looks at the user's folder: its index and its objects are not theirs. */
export interface Shadow {
  readonly repository: Repository | undefined;
  readonly folder: string;
  readonly directory: string;
  /** The top of the work tree: of the repository, or the folder itself. */
  readonly top: string;
  readonly objectFormat: string;
  /** Runs git at the top of the work tree. */
  run(args: readonly string[], options?: RunOptions): Promise<Buffer>;
  /** What is said of the folder elsewhere. */
  readonly settings: Settings;
  /** Takes over what the user ignores now. */
  refresh(): Promise<void>;
}

interface RunOptions {
  readonly input?: string | Buffer;
  readonly index?: string;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: (chunk: Buffer) => void;
  readonly accept?: readonly number[];
}

export async function openShadow(folder: string, directory: string): Promise<Shadow> {
  const repository = await findRepository(folder);
  const index = join(directory, 'index');
  // The work tree is that of the user's repository, so that the ignore files above the folder count as well.
  const top = repository?.top ?? folder;
  const run: Shadow['run'] = (args, { index: other = index, ...options } = {}) =>
    git([...SETTINGS, ...args], {
      cwd: top,
      env: { GIT_DIR: directory, GIT_WORK_TREE: top, GIT_INDEX_FILE: other, ...KEEPS_MEMORY },
      ...options,
    });
  const format = repository?.objectFormat ?? 'sha1';
  // The last that it makes: one that was stopped half way is finished, since making it again harms nothing.
  if (!(await exists(join(directory, 'objects', 'info'))))
    await git(['init', '--quiet', '--bare', `--object-format=${format}`, directory], { cwd: folder });
  await mkdir(join(directory, 'info'), { recursive: true });
  await writeFile(join(directory, 'info', 'attributes'), RAW_ATTRIBUTES);
  // The user's objects can be read from here, so that a file that is as committed needs no copy until a change shows it.
  await writeFile(join(directory, 'objects', 'info', 'alternates'), repository ? `${repository.objects}\n` : '');
  if (repository && !(await exists(index))) await seedIndex(repository, folder, index, run);
  return {
    repository,
    settings: await findSettings(folder, repository),
    run,
    folder,
    directory,
    top,
    objectFormat: format,
    refresh: () => writeIgnores(repository, directory),
  };
}

/** The C library of most Linux systems returns memory after each file and asks for it again, four fifths of the time of packing many. */
const KEEPS_MEMORY = {
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024 * 1024),
  MALLOC_TOP_PAD_: String(16 * 1024 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(32 * 1024 * 1024),
};

/** A file that a sparse checkout leaves out is seen again once it is there. */
const SETTINGS = [
  'core.sparseCheckout=true',
  'core.splitIndex=false',
  'gc.auto=0',
  `core.bigFileThreshold=${MAX_DIFFED_FILE_BYTES}`,
].flatMap((setting) => ['-c', setting]);

async function writeIgnores(repository: Repository | undefined, directory: string): Promise<void> {
  const ignores = repository ? await readFile(repository.exclude).catch(() => '') : `${USUAL_IGNORES.join('\n')}\n`;
  await writeFile(join(directory, 'info', 'exclude'), ignores);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
