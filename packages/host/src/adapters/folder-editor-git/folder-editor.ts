import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CurrentFile, type EditStep, FolderEditError, type FolderEditor } from '../../ports/folder-editor.js';
import { each } from '../../queues/each.js';
import type { Scratch } from '../shared/git/scratch.js';
import type { RememberedFolder } from '../shared/remembered-folder.js';
import { applySteps, settleSteps } from './apply.js';
import { GitContents } from './contents.js';
import type { ExchangeContext } from './exchange.js';
import type { EditorFileSystem } from './file-system.js';
import { readPath } from './file-system.js';
import { MAX_STORED_AT_ONCE } from './limits.js';
import { nestedRepositories } from './nested.js';
import { GitUserIndex } from './user-index.js';
import { userRepository } from './user-repository.js';

export interface GitFolderEditorOptions extends RememberedFolder {
  readonly scratch: Scratch;
  readonly fs: EditorFileSystem;
}

/** Edits a folder on this machine. Contents are kept in the host's own repository; commits and pushes use the user's git. */
export class GitFolderEditor implements FolderEditor {
  readonly contents: FolderEditor['contents'];
  readonly index: FolderEditor['index'];
  readonly nested: FolderEditor['nested'];
  readonly repository: FolderEditor['repository'];
  readonly #contents: GitContents;
  readonly #options: GitFolderEditorOptions;
  #hash: Promise<string> | undefined;

  constructor(options: GitFolderEditorOptions) {
    this.#options = options;
    const { git, folder, scratch, answer } = options;
    this.#contents = new GitContents({ ...options, hash: () => this.#hashName() });
    const run = <T>(work: () => Promise<T>) => this.#run(work);
    const index = new GitUserIndex({ ...options, contents: this.#contents });
    this.contents = eachMethod(this.#contents, CONTENTS, run);
    this.index = eachMethod(index, INDEX, run);
    this.nested = eachMethod(nestedRepositories(git, folder), NESTED, run);
    const remember = answer && (<T>(question: string, ask: () => Promise<T>) => answer(question, ask, 'exact'));
    this.repository = eachMethod(userRepository(git, folder, scratch, remember), REPOSITORY, run);
  }

  read(paths: readonly string[]): Promise<ReadonlyMap<string, CurrentFile>> {
    return this.#run(() => this.#read(paths));
  }

  async apply(id: string, steps: readonly EditStep[]): Promise<void> {
    await this.#run(async () => applySteps(await this.#context(), id, steps, this.#contents.read));
    this.#options.wrote?.(steps.map(({ path }) => path));
  }

  settle(id: string, steps: readonly EditStep[]): Promise<'finished' | 'rolledBack'> {
    return this.#run(async () => settleSteps(await this.#context(), id, steps, this.#contents.read));
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    const { finish = (start) => start() } = this.#options;
    return finish(() => withEditErrors(work));
  }

  async #read(paths: readonly string[]): Promise<ReadonlyMap<string, CurrentFile>> {
    const { fs, folder, hash } = await this.#context();
    const current = new Map<string, CurrentFile>();
    await each(paths, async (path) => {
      const now = await readPath(fs, folder, path, hash);
      current.set(path, now.kind === 'found' ? { kind: 'file', version: now.found.version } : now);
    });
    const files = [...current.values()].flatMap((file) => (file.kind === 'file' ? [file.version] : []));
    const isKnown = await this.#options.has(files.map(({ contentId }) => contentId));
    const unknown = files.flatMap(({ path }, index) => (isKnown[index] ? [] : [path]));
    for (let start = 0; start < unknown.length; start += MAX_STORED_AT_ONCE) {
      const looks = await each(unknown.slice(start, start + MAX_STORED_AT_ONCE), (path) =>
        readPath(fs, folder, path, hash),
      );
      await this.#contents.writeAll(looks.flatMap((now) => (now.kind === 'found' ? [now.found.content] : [])));
    }
    return current;
  }

  async #context(): Promise<ExchangeContext> {
    const { fs, folder, modes } = this.#options;
    return { fs, folder, modes, hash: await this.#hashName() };
  }

  /** The hash function of the host's repository, which is that of the user's. */
  #hashName(): Promise<string> {
    this.#hash ??= readFile(join(this.#options.directory, 'config'), 'utf8')
      .then((config) => (/objectformat\s*=\s*sha256/i.test(config) ? 'sha256' : 'sha1'))
      .catch(() => {
        this.#hash = undefined;
        return 'sha1';
      });
    return this.#hash;
  }
}

const CONTENTS = ['read', 'write', 'hunks', 'merge', 'patch'] as const;
const INDEX = [
  ...(['status', 'entries', 'committed', 'stage', 'conflicts'] as const),
  ...(['fromDisk', 'store', 'fromIndex', 'toIndex', 'asOnDisk'] as const),
];
const NESTED = ['head', 'move'] as const;
const REPOSITORY = [
  'facts',
  'commit',
  'head',
  'commitOf',
  'moveHead',
  'rewritable',
  'entriesIn',
  'rewrite',
  'mainFolder',
  'createBranch',
  'mergeBack',
  'push',
  'createPullRequest',
] as const;

/** Turns any error of git or the file system into a FolderEditError with the same message. */
async function withEditErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof FolderEditError) throw cause;
    throw new FolderEditError('refused', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** These methods of an object, each call of them run by `run`. */
function eachMethod<T extends object, K extends keyof T>(
  target: T,
  names: readonly K[],
  run: <R>(work: () => Promise<R>) => Promise<R>,
): Pick<T, K> {
  const methods = names.map((name) => {
    const method = target[name] as Method;
    return [name, (...args: unknown[]) => run(async () => method.apply(target, args))];
  });
  return Object.fromEntries(methods) as Pick<T, K>;
}
