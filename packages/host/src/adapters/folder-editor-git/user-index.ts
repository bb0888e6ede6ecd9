import { join } from 'node:path';
import { SUBMODULE } from '../../ports/file-modes.js';
import { FolderEditError } from '../../ports/folder-editor.js';
import type { IndexEntries, IndexEntry, UserIndex } from '../../ports/user-index.js';
import type { FileVersion } from '../../ports/workspace.js';
import { answer } from '../shared/git/answer.js';
import { convertedPaths } from '../shared/git/converted.js';
import { copyIndexFile } from '../shared/git/copy-index-file.js';
import { git } from '../shared/git/git.js';
import { missingObjects } from '../shared/git/missing-objects.js';
import { findRepository, type Repository } from '../shared/git/repository.js';
import type { Scratch } from '../shared/git/scratch.js';
import type { GitContents } from './contents.js';
import { each } from './each.js';

type Entries = Map<string, IndexEntry | undefined>;

export interface GitUserIndexOptions {
  readonly folder: string;
  readonly contents: GitContents;
  readonly scratch: Scratch;
  /**
   * Returns git's earlier answer if nothing in the repository has changed since. With `asTold`, only changes that the system
   * has already reported count.
   */
  readonly answer?: <T>(question: string, ask: () => Promise<T>, asTold?: boolean) => Promise<T>;
}

/** The index of the user's repository. The folder may be any folder in the work tree. */
export class GitUserIndex implements UserIndex {
  readonly #folder: string;
  readonly #contents: GitContents;
  readonly #scratch: Scratch;
  readonly #answer: NonNullable<GitUserIndexOptions['answer']>;

  constructor({ folder, contents, scratch, answer = (_question, ask) => ask() }: GitUserIndexOptions) {
    this.#folder = folder;
    this.#contents = contents;
    this.#scratch = scratch;
    this.#answer = answer;
  }

  staged({ asTold = false }: { readonly asTold?: boolean } = {}): Promise<IndexEntries> {
    return this.#answer('staged', () => this.#listStaged(), asTold);
  }

  async #listStaged(): Promise<Entries> {
    const options = ['--cached', '--raw', '-z', '--no-abbrev', '--no-renames', '--relative'];
    const changes = await this.#git(['diff-index', ...options, 'HEAD']).catch(async (error: unknown) => {
      if (await this.#hasCommit()) throw error;
      return this.#git(['diff-index', ...options, await this.#emptyTree()]); // before the first commit
    });
    const fields = changes.toString().split('\0');
    const entries: Entries = new Map();
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [, mode = '', , id = ''] = (fields[at] ?? '').split(' ');
      entries.set(fields[at + 1] ?? '', /^0+$/.test(mode) ? undefined : { id, mode });
    }
    return entries;
  }

  async entries(paths: readonly string[]): Promise<Entries> {
    const listed = await this.#git(['ls-files', '--stage', '-z', ...pathArguments(paths)]);
    return pick(paths, listed, indexEntry);
  }

  async committed(paths: readonly string[]): Promise<Entries> {
    if (!(await this.#hasCommit())) return new Map(paths.map((path) => [path, undefined]));
    const listed = await this.#git(['ls-tree', '-r', '-z', 'HEAD', ...pathArguments(paths)]);
    return pick(paths, listed, ([mode = '', , id = '']) => ({ mode, id }));
  }

  async stage(entries: IndexEntries): Promise<void> {
    const { prefix, objectFormat } = await this.#repository();
    const none = '0'.repeat(objectFormat === 'sha256' ? 64 : 40);
    const top = prefix === '' ? '' : `${prefix}/`;
    const lines = [...entries].map(([path, entry]) =>
      entry ? `${entry.mode} ${entry.id}\t${top}${path}\0` : `0 ${none}\t${top}${path}\0`,
    );
    await this.#restoreObjects(
      [...entries.values()].flatMap((entry) => (entry && entry.mode !== SUBMODULE ? [entry.id] : [])),
    );
    await this.#change(['update-index', '-z', '--index-info'], lines.join(''));
  }

  async fromDisk(paths: readonly string[]): Promise<Entries> {
    const { index } = await this.#repository();
    return this.#scratch.use(async (folder) => {
      const copy = join(folder, 'index');
      await copyIndexFile(index, copy).catch(() => undefined); // does not exist before the first file is staged
      const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
      await this.#git(args, `${paths.join('\0')}\0`, copy);
      const listed = await this.#git(['ls-files', '--stage', '-z', ...pathArguments(paths)], undefined, copy);
      return pick(paths, listed, indexEntry);
    });
  }

  async fromIndex(path: string, { id }: IndexEntry): Promise<string> {
    return this.#contents.write(await this.#git(['cat-file', '--filters', `--path=${await this.#fromTop(path)}`, id]));
  }

  async asOnDisk(files: readonly FileVersion[]): Promise<Map<string, FileVersion>> {
    const regular = files.filter(({ mode }) => mode.startsWith('100'));
    const repository = regular.length > 0 ? await findRepository(this.#folder) : undefined;
    if (!repository) return new Map();
    const top = repository.prefix === '' ? '' : `${repository.prefix}/`;
    const names = regular.map(({ path }) => byteString(top + path));
    const converted = await convertedPaths(repository, names);
    const candidates = regular.filter(({ path }) => converted.has(byteString(top + path)));
    // Contents that the repository does not have were read from disk, so they need no conversion.
    const missing = await this.#missing(candidates.map(({ contentId }) => contentId));
    const changed = await each(
      candidates.filter(({ contentId }) => !missing.has(contentId)),
      async (file) => ({ ...file, contentId: await this.fromIndex(file.path, { ...file, id: file.contentId }) }),
    );
    return new Map(changed.map((file) => [file.path, file]));
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
      await this.#git(['hash-object', '-w', '--no-filters', '--stdin'], Buffer.from(content));
    }
  }

  #missing(ids: readonly string[]): Promise<Set<string>> {
    return missingObjects(ids, (args, input) => this.#git(args, input));
  }

  async #change(args: readonly string[], input: string): Promise<void> {
    try {
      await this.#git(args, input);
    } catch (cause) {
      if (!/index\.lock/.test(String(cause))) throw cause;
      const why = 'another git process is at work in the repository; try again when it has ended';
      throw new FolderEditError('refused', why, { cause });
    }
  }

  #git(args: readonly string[], input?: string | Buffer, index?: string): Promise<Buffer> {
    const env = { GIT_LITERAL_PATHSPECS: '1', ...(index !== undefined && { GIT_INDEX_FILE: index }) };
    return git(args, { cwd: this.#folder, env, ...(input !== undefined && { input }) });
  }

  async #repository(): Promise<Repository> {
    const found = await findRepository(this.#folder);
    if (!found) throw new FolderEditError('refused', 'the folder is not a git repository');
    return found;
  }

  async #fromTop(path: string): Promise<string> {
    const { prefix } = await this.#repository();
    return prefix === '' ? path : `${prefix}/${path}`;
  }

  async #hasCommit(): Promise<boolean> {
    return (await answer(['rev-parse', '--verify', '--quiet', 'HEAD'], this.#folder)) !== undefined;
  }

  async #emptyTree(): Promise<string> {
    return (await this.#git(['hash-object', '-t', 'tree', '--stdin'], '')).toString().trim();
  }
}

/** Passes a few paths as arguments. For many, git lists all paths, and `pick` selects among them. */
function pathArguments(paths: readonly string[]): string[] {
  return paths.length <= MAX_PATH_ARGUMENTS ? ['--', ...paths] : [];
}

/** Paths on one command line. Stays below what systems allow even if all are long. */
const MAX_PATH_ARGUMENTS = 100;

function indexEntry([mode = '', id = '', stage]: string[]): IndexEntry | undefined {
  return stage === '0' ? { mode, id } : undefined;
}

function pick(
  paths: readonly string[],
  listed: Buffer,
  read: (fields: string[]) => IndexEntry | undefined,
): Map<string, IndexEntry | undefined> {
  const entries: Entries = new Map(paths.map((path) => [path, undefined]));
  for (const record of listed.toString().split('\0')) {
    const tab = record.indexOf('\t');
    const path = record.slice(tab + 1);
    if (tab > 0 && entries.has(path)) entries.set(path, read(record.slice(0, tab).split(' ')));
  }
  return entries;
}

/** One character per byte, as `convertedPaths` expects paths. */
function byteString(path: string): string {
  return Buffer.from(path).toString('latin1');
}
