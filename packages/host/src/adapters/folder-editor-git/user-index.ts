import { chmod, lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXECUTABLE, SUBMODULE } from '../../ports/file-modes.js';
import { FolderEditError } from '../../ports/folder-editor.js';
import type {
  Conflicts,
  IndexEntries,
  IndexEntry,
  IndexMark,
  IndexStatus,
  StagedChange,
  UserIndex,
} from '../../ports/user-index.js';
import type { FileVersion, Freshness } from '../../ports/workspace.js';
import { each } from '../../queues/each.js';
import { convertedPaths } from '../shared/git/converted.js';
import { copyIndexFile } from '../shared/git/copy-index-file.js';
import { type Git, GitRefusal } from '../shared/git/git.js';
import { findRepository, type Repository } from '../shared/git/repository.js';
import type { Scratch } from '../shared/git/scratch.js';
import type { Answers, RememberedFolder } from '../shared/remembered-folder.js';
import { findConflicts } from './conflicts.js';
import type { GitContents } from './contents.js';
import { type Entries, intended, pathArguments, pick, readEntries } from './index-entries.js';
import { exchangeIndex } from './index-file.js';
import { parentsOf } from './paths.js';

export interface GitUserIndexOptions
  extends Pick<RememberedFolder, 'git' | 'folder' | 'mayConvert' | 'answer' | 'answerOfIndex'> {
  readonly contents: GitContents;
  readonly scratch: Scratch;
}

/** The index of the user's repository. The folder may be any folder in the work tree. */
export class GitUserIndex implements UserIndex {
  readonly #user: Git;
  readonly #folder: string;
  readonly #contents: GitContents;
  readonly #scratch: Scratch;
  readonly #mayConvert: () => Promise<boolean>;
  readonly #answer: Answers;
  readonly #answerOfIndex: Answers;

  constructor({ git, folder, contents, scratch, mayConvert, answer, answerOfIndex }: GitUserIndexOptions) {
    this.#user = git;
    this.#folder = folder;
    this.#contents = contents;
    this.#scratch = scratch;
    this.#mayConvert = mayConvert ?? (async () => true);
    this.#answer = answer ?? askAnew;
    this.#answerOfIndex = answerOfIndex ?? askAnew;
  }

  status({ freshness }: { readonly freshness: Freshness }): Promise<IndexStatus> {
    return this.#answerOfIndex('index status', () => this.#readStatus(), freshness);
  }

  async #readStatus(): Promise<IndexStatus> {
    const options = ['--cached', '--raw', '-z', '--no-abbrev', '--no-renames', '--relative'];
    const changes = await this.#git(['diff-index', ...options, 'HEAD', '--']).catch(async (error: unknown) => {
      if (await this.#hasCommit()) throw error;
      return this.#git(['diff-index', ...options, await this.#emptyTree()]); // before the first commit
    });
    // Not in the changes, because a file that both sides added is in no commit.
    const unmerged = (await this.#git(['ls-files', '--unmerged', '-z'])).toString().split('\0').slice(0, -1);
    const conflicted = new Set(unmerged.map((record) => record.slice(record.indexOf('\t') + 1)));
    const fields = changes.toString().split('\0');
    const staged = new Map<string, StagedChange>();
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [before = '', mode = '', committedId = '', id = ''] = (fields[at] ?? '').slice(1).split(' ');
      const [committed, entry] = [entryOf(before, committedId), entryOf(mode, id)];
      const path = fields[at + 1] ?? '';
      if (!conflicted.has(path)) staged.set(path, { ...(committed && { committed }), ...(entry && { entry }) });
    }
    const entries = new Map([...staged].map(([path, { entry }]) => [path, entry]));
    for (const path of await intended((args) => this.#git(args), entries)) staged.delete(path);
    return { staged, conflicted };
  }

  entries(paths: readonly string[]): Promise<Entries> {
    return readEntries((args) => this.#git(args), paths);
  }

  async committed(paths: readonly string[]): Promise<Entries> {
    const listed = await this.#git(['ls-tree', '-r', '-z', 'HEAD', ...pathArguments(paths)]).catch(
      async (error: unknown) => {
        if (!(error instanceof GitRefusal) || (await this.#hasCommit())) throw error;
        return Buffer.alloc(0); // before the first commit
      },
    );
    return pick(paths, listed, ([mode = '', , id = '']) => ({ mode, id }));
  }

  conflicts(): Promise<Conflicts> {
    return findConflicts(this.#user, this.#folder);
  }

  async stage(entries: IndexEntries): Promise<void> {
    const { prefix, objectFormat, index } = await this.#repository();
    const none = '0'.repeat(objectFormat === 'sha256' ? 64 : 40);
    const top = prefix === '' ? '' : `${prefix}/`;
    const lines = [...entries].map(([path, entry]) =>
      entry && !isIntended(entry) ? `${entry.mode} ${entry.id}\t${top}${path}\0` : `0 ${none}\t${top}${path}\0`,
    );
    await this.#restoreObjects(
      [...entries.values()].flatMap((entry) => (entry && entry.mode !== SUBMODULE ? [entry.id] : [])),
    );
    const set = (file?: string) => this.#git(['update-index', '-z', '--index-info'], lines.join(''), file);
    const hasMarks = [...entries.values()].some((entry) => entry?.marks);
    await withoutLocks(async () => {
      if (!hasMarks) return void (await set());
      await exchangeIndex(index, this.#scratch, async (copy, folder) => {
        await set(copy);
        await this.#intend(entries, copy, join(folder, 'tree'));
        for (const mark of ['skip-worktree', 'assume-unchanged'] as const) await this.#mark(mark, entries, copy);
      });
    });
  }

  async #mark(mark: IndexMark, entries: IndexEntries, copy: string): Promise<void> {
    const paths = [...entries].flatMap(([path, entry]) => (entry?.marks?.includes(mark) ? [path] : []));
    if (paths.length === 0) return;
    await this.#git(['update-index', '-z', `--${mark}`, '--stdin'], `${paths.join('\0')}\0`, copy);
  }

  /** Only `git add` makes such entries, and only of files that exist; so they exist, empty, in a work tree just for that. */
  async #intend(entries: IndexEntries, copy: string, tree: string): Promise<void> {
    const files = [...entries].flatMap(([path, entry]) => (entry && isIntended(entry) ? [{ path, ...entry }] : []));
    if (files.length === 0) return;
    const names: string[] = [];
    for (const { path, mode } of files) {
      const name = await this.#fromTop(path);
      await mkdir(dirname(join(tree, name)), { recursive: true });
      await writeFile(join(tree, name), '');
      if (mode === EXECUTABLE) await chmod(join(tree, name), 0o755);
      names.push(name);
    }
    const gitFolder = (await this.#git(['rev-parse', '--absolute-git-dir'])).toString().trim();
    const add = ['add', '--intent-to-add', '--force', '--sparse', '--pathspec-from-file=-', '--pathspec-file-nul'];
    const env = { GIT_LITERAL_PATHSPECS: '1', GIT_INDEX_FILE: copy, GIT_DIR: gitFolder, GIT_WORK_TREE: tree };
    await this.#user.run(add, { cwd: tree, env, input: `${names.join('\0')}\0` });
  }

  async fromDisk(paths: readonly string[]): Promise<Entries> {
    const { index } = await this.#repository();
    return this.#scratch.use(async (folder) => {
      const copy = join(folder, 'index');
      await copyIndexFile(index, copy).catch(() => undefined); // does not exist before the first file is staged
      const args = [
        'update-index',
        '--add',
        '--remove',
        '--replace',
        '--ignore-skip-worktree-entries',
        '-z',
        '--stdin',
      ];
      await this.#git(args, `${paths.join('\0')}\0`, copy);
      return readEntries((list) => this.#git(list, undefined, copy), paths);
    });
  }

  async fromIndex(path: string, { id }: IndexEntry): Promise<string> {
    return this.#contents.write(await this.#git(['cat-file', '--filters', `--path=${await this.#fromTop(path)}`, id]));
  }

  async asOnDisk(files: readonly FileVersion[]): Promise<Map<string, FileVersion>> {
    const regular = files.filter(({ mode }) => mode.startsWith('100'));
    if (regular.length === 0 || !((await this.#mayConvert()) || (await this.#hasAttributes(regular)))) return new Map();
    const repository = await this.#findRepository();
    if (!repository) return new Map();
    const top = repository.prefix === '' ? '' : `${repository.prefix}/`;
    const names = regular.map(({ path }) => byteString(top + path));
    const converted = await convertedPaths(this.#user, repository, names);
    const candidates = regular.filter(({ path }) => converted.has(byteString(top + path)));
    // Contents that the repository does not have were read from disk, so they need no conversion.
    const missing = await this.#missing(candidates.map(({ contentId }) => contentId));
    const changed = await each(
      candidates.filter(({ contentId }) => !missing.has(contentId)),
      async (file) => ({ ...file, contentId: await this.fromIndex(file.path, { ...file, id: file.contentId }) }),
    );
    return new Map(changed.map((file) => [file.path, file]));
  }

  /** Attributes that git does not track, or ignores, count as well. */
  async #hasAttributes(files: readonly FileVersion[]): Promise<boolean> {
    const folders = new Set(['', ...files.flatMap(({ path }) => parentsOf(path))]);
    const found = await each([...folders], (folder) =>
      lstat(join(this.#folder, folder, '.gitattributes')).catch(() => undefined),
    );
    return found.some((one) => one !== undefined);
  }

  async store(content: Uint8Array): Promise<string> {
    return (await this.#git(['hash-object', '-w', '--no-filters', '--stdin'], Buffer.from(content))).toString().trim();
  }

  async toIndex(path: string, content: Uint8Array): Promise<string> {
    const args = ['hash-object', '-w', '--stdin', `--path=${await this.#fromTop(path)}`];
    return (await this.#git(args, Buffer.from(content))).toString().trim();
  }

  /** Writes contents back that the repository may have pruned, since only its index referred to them. The host has kept them. */
  async #restoreObjects(ids: readonly string[]): Promise<void> {
    for (const id of await this.#missing(ids)) {
      const content = await this.#contents.read(id);
      if (!content) throw new FolderEditError('refused', 'the staged content is no longer kept; nothing was changed');
      await this.store(content);
    }
  }

  /** Which of these objects the repository lacks. */
  async #missing(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const lines = (await this.#git(['cat-file', '--batch-check'], `${ids.join('\n')}\n`)).toString().split('\n');
    return new Set(lines.filter((line) => line.endsWith(' missing')).map((line) => line.slice(0, line.indexOf(' '))));
  }

  #git(args: readonly string[], input?: string | Buffer, index?: string): Promise<Buffer> {
    const env = { GIT_LITERAL_PATHSPECS: '1', ...(index !== undefined && { GIT_INDEX_FILE: index }) };
    return this.#user.run(args, { cwd: this.#folder, env, ...(input !== undefined && { input }) });
  }

  async #repository(): Promise<Repository> {
    const found = await this.#findRepository();
    if (!found) throw new FolderEditError('refused', 'the folder is not a git repository');
    return found;
  }

  #findRepository(): Promise<Repository | undefined> {
    return this.#answer('repository', () => findRepository(this.#user, this.#folder), 'exact');
  }

  async #fromTop(path: string): Promise<string> {
    const { prefix } = await this.#repository();
    return prefix === '' ? path : `${prefix}/${path}`;
  }

  async #hasCommit(): Promise<boolean> {
    return (await this.#user.ask(['rev-parse', '--verify', '--quiet', 'HEAD'], this.#folder)) !== undefined;
  }

  async #emptyTree(): Promise<string> {
    return (await this.#git(['hash-object', '-t', 'tree', '--stdin'], '')).toString().trim();
  }
}

const askAnew: Answers = (_question, ask) => ask();

/** Git writes zeros for the mode of a file that does not exist. */
function entryOf(mode: string, id: string): IndexEntry | undefined {
  return /^0+$/.test(mode) ? undefined : { id, mode };
}

function isIntended({ marks }: IndexEntry): boolean {
  return marks?.includes('intent-to-add') ?? false;
}

/** Says in plain words that git's lock is held. */
async function withoutLocks(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (cause) {
    if (!/index\.lock/.test(String(cause))) throw cause;
    const why = 'another git process is at work in the repository; try again when it has ended';
    throw new FolderEditError('refused', why, { cause });
  }
}

/** One character per byte, as `convertedPaths` expects paths. */
function byteString(path: string): string {
  return Buffer.from(path).toString('latin1');
}
