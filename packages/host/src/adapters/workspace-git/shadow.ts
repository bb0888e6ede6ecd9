import { appendFile, copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git.js';
import { findRepository, headTree, type Repository } from './repository.js';

/** Left out in folders without a repository, where nobody says what is generated. */
const USUAL_IGNORES = ['node_modules/', '.venv/', '__pycache__/', 'target/', 'dist/', 'build/', '.cache/', '.DS_Store'];

/** Every file as the bytes it has: no line ends changed, no filters run, whatever the folder's own attributes say. */
const RAW_ATTRIBUTES = '* -text -ident -filter -working-tree-encoding\n';

/** A bare repository of the host's own that looks at the user's folder: its index and its objects are not theirs. */
export interface Shadow {
  readonly repository: Repository | undefined;
  run(
    args: readonly string[],
    options?: { input?: string; index?: string; accept?: readonly number[] },
  ): Promise<Buffer>;
  readonly directory: string;
}

export async function openShadow(folder: string, directory: string): Promise<Shadow> {
  const repository = await findRepository(folder);
  const index = join(directory, 'index');
  const run: Shadow['run'] = (args, options = {}) =>
    git([...SETTINGS, ...args], {
      cwd: folder,
      env: { GIT_DIR: directory, GIT_WORK_TREE: folder, GIT_INDEX_FILE: options.index ?? index },
      ...(options.input !== undefined && { input: options.input }),
      ...(options.accept && { accept: options.accept }),
    });
  const shadow = { repository, run, directory };
  if (!(await exists(join(directory, 'HEAD')))) await git(['init', '--quiet', '--bare', directory], { cwd: folder });
  await mkdir(join(directory, 'info'), { recursive: true });
  await writeFile(join(directory, 'info', 'attributes'), RAW_ATTRIBUTES);
  // The user's objects can be read from here, so that a file that is as committed needs no copy until a change shows it.
  await writeFile(join(directory, 'objects', 'info', 'alternates'), repository ? `${repository.objects}\n` : '');
  await writeIgnores(shadow);
  if (!(await exists(index))) await seedIndex(shadow, folder, index);
  return shadow;
}

const SETTINGS = [
  '-c',
  'core.quotePath=false',
  '-c',
  'gc.auto=0',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'advice.addEmbeddedRepo=false',
];

async function writeIgnores({ repository, directory }: Shadow): Promise<void> {
  const file = join(directory, 'info', 'exclude');
  await writeFile(file, repository ? '' : `${USUAL_IGNORES.join('\n')}\n`);
  if (repository) await appendFile(file, await readFile(repository.exclude).catch(() => ''));
}

/** Starts from what git knows of the files already: then only those that changed since are read. */
async function seedIndex({ repository, run }: Shadow, folder: string, index: string): Promise<void> {
  if (!repository) return;
  if (repository.prefix === '' && (await exists(repository.index))) {
    await copyFile(repository.index, index);
    // A shared or sparse index refers to files beside it; such a copy cannot be read, and the commit will do.
    if (
      await run(['ls-files', '--cached', '-z', '--', '.']).then(
        () => true,
        () => false,
      )
    )
      return;
  }
  const tree = await headTree(folder, repository);
  if (tree) await run(['read-tree', tree]);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
