import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { SUBMODULE } from '../../../ports/file-modes.js';
import type { StateId } from '../../../ports/workspace.js';
import { joinRecords, splitRecords } from '../../shared/git/records.js';
import { MAX_READ_BYTES, MAX_READ_PATHS } from '../limits.js';
import type { ObjectWriter } from '../objects/object-writer.js';
import type { Quota } from '../objects/quota.js';
import type { Recent } from '../objects/recent.js';
import type { Shadow } from '../repository/shadow.js';
import { type NotHere, notHere, Unanswerable } from '../tiers.js';
import { FILE_MODES, FILES_AT_ONCE, type FileStat, FilesOnDisk, type StatAt } from './files-on-disk.js';
import { pathBytes, pathText, type TreeEntry, type Trees } from './trees.js';

interface PathReaderObjects {
  readonly trees: Trees;
  readonly writer: ObjectWriter;
  readonly ignored: Recent<string, true>;
  readonly quota: Quota;
}

/** The folder's state now, given its last state and all paths that may have changed since: only those are read. */
export async function readPaths(
  shadow: Shadow,
  objects: PathReaderObjects,
  last: StateId,
  touched: Iterable<string>,
  { listed }: ReadPathsOptions = {},
): Promise<StateId | NotHere> {
  const paths = [...touched];
  if (paths.length === 0) return last;
  if (paths.length > MAX_READ_PATHS) return notHere('too-many');
  try {
    return await new PathReader(shadow, objects, last, listed).take(paths);
  } catch (error) {
    if (error instanceof Unanswerable) return notHere(error.reason);
    throw error;
  }
}

interface ReadPathsOptions {
  /** The paths come from git's own list, so none is a folder or ignored; some of them may have been read already. */
  readonly listed?: FilesOnDisk | undefined;
}

class PathReader {
  readonly #shadow: Shadow;
  readonly #trees: Trees;
  readonly #ignored: Recent<string, true>;
  readonly #quota: Quota;
  readonly #last: StateId;
  readonly #areFiles: boolean;
  readonly #edits = new Map<string, TreeEntry | undefined>();
  readonly #files: FilesOnDisk;
  #bytes = 0;

  constructor(
    shadow: Shadow,
    { trees, writer, ignored, quota }: PathReaderObjects,
    last: StateId,
    listed?: FilesOnDisk,
  ) {
    this.#shadow = shadow;
    this.#trees = trees;
    this.#ignored = ignored;
    this.#quota = quota;
    this.#last = last;
    this.#areFiles = listed !== undefined;
    this.#files = listed ?? new FilesOnDisk(shadow.folder, writer);
  }

  async take(paths: readonly string[]): Promise<StateId> {
    if (paths.includes('')) throw new Unanswerable('file-kind'); // the folder itself
    if (paths.some((path) => path.includes('\ufffd'))) throw new Unanswerable('not-utf8');
    if (paths.some(isIgnoreFile)) throw new Unanswerable('ignore-rules');
    const found = paths.map((path) => ({ path, ...this.#files.stat(path) }));
    if (this.#areFiles && found.some(({ is }) => is === 'folder')) throw new Unanswerable('file-kind'); // since git's list
    this.#quota.begin();
    const others = await this.#takeKnown(found);
    const wanted = await this.#withoutIgnored(others.filter(({ is }) => is !== 'nothing'));
    for (const { path, is, size } of others) {
      if (is === 'nothing') this.#edits.set(pathBytes(path), undefined);
      else if (!wanted.has(path)) continue;
      else if (is === 'folder') await this.#takeFolder(path);
      else await this.#takeFile({ path, is, size });
    }
    return this.#trees.edit(this.#last, this.#edits);
  }

  /** Reads the files that the last state had, at once: asking git about the others takes a while. Returns the others. */
  async #takeKnown(found: readonly StatAt[]): Promise<StatAt[]> {
    const others: StatAt[] = [];
    for (const { path, is, size } of found) {
      const isFile = is !== 'nothing' && is !== 'folder';
      const mode = isFile ? (await this.#trees.find(this.#last, pathBytes(path)))?.mode : undefined;
      if (isFile && mode !== undefined && FILE_MODES.has(mode)) await this.#takeFile({ path, is, size });
      else others.push({ path, is, size });
    }
    return others;
  }

  /** Replaces everything that the last state had below the folder with what is there now. */
  async #takeFolder(path: string): Promise<void> {
    const files = await this.#filesIn(path);
    const wanted = await this.#withoutIgnored(files);
    this.#edits.set(pathBytes(path), undefined);
    for (const file of files) if (wanted.has(file.path)) await this.#takeFile(file);
  }

  async #takeFile({ path, is, size }: FileStat): Promise<void> {
    this.#bytes += size;
    if (this.#bytes > MAX_READ_BYTES) throw new Unanswerable('too-large');
    if (!(await this.#quota.reserve(size))) throw new Unanswerable('store-full');
    this.#edits.set(pathBytes(path), this.#files.store({ path, is, size }));
    if (this.#edits.size % FILES_AT_ONCE === 0) await yieldToOthers();
  }

  async #filesIn(folder: string): Promise<FileStat[]> {
    const files: FileStat[] = [];
    const folders = [folder];
    for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
      const entries: Dirent[] = await readdir(this.#files.fullPath(at), { withFileTypes: true });
      for (const { name } of entries) {
        const path = `${at}/${name}`;
        if (name === '.git') throw new Unanswerable('nested-repository');
        if (name.includes('\ufffd')) throw new Unanswerable('not-utf8');
        if (isIgnoreFile(path)) throw new Unanswerable('ignore-rules');
        const { is, size } = this.#files.stat(path);
        if (is === 'folder') folders.push(path);
        else if (is !== 'nothing') files.push({ path, is, size });
      }
      if (files.length + folders.length > MAX_READ_PATHS) throw new Unanswerable('too-many');
    }
    return files;
  }

  /** A path in the last state is never ignored; about the others git is asked. */
  async #withoutIgnored(found: readonly StatAt[]): Promise<Set<string>> {
    const left = new Set(found.map(({ path }) => path));
    const fresh = new Map<string, StatAt>();
    for (const it of found) {
      const entry = await this.#trees.find(this.#last, pathBytes(it.path));
      if (entry?.mode === SUBMODULE) throw new Unanswerable('submodule');
      if (entry || this.#areFiles) continue;
      if (this.#isKnownAsIgnored(it) || this.#shadow.leftOut.covers(pathBytes(it.path))) left.delete(it.path);
      else fresh.set(it.path, it);
    }
    if (fresh.size === 0) return left;
    const { run, repository } = this.#shadow;
    const prefix = repository?.prefix ? `${repository.prefix}/` : '';
    const input = joinRecords([...fresh.keys()].map((path) => pathBytes(prefix + path)));
    const ignored = await this.#untracked(
      splitRecords(await run(['check-ignore', '--no-index', '-z', '--stdin'], { input, accept: [1] })),
    );
    const start = pathBytes(prefix).length;
    for (const bytes of ignored) {
      const path = pathText(bytes.slice(start));
      left.delete(path);
      const it = fresh.get(path);
      if (it) this.#ignored.set(ignoredKey(it), true);
    }
    return left;
  }

  /** Without what the user has committed all the same: the last state may lack it because it was removed for a while. */
  async #untracked(ignored: readonly string[]): Promise<readonly string[]> {
    const { git, repository } = this.#shadow;
    if (!repository || ignored.length === 0) return ignored;
    const asked = { cwd: repository.top, input: joinRecords(ignored), accept: [1] };
    return splitRecords(await git.run(['check-ignore', '-z', '--stdin'], asked));
  }

  /** A path is also known as ignored if a folder above it is. */
  #isKnownAsIgnored(it: StatAt): boolean {
    for (let slash = it.path.indexOf('/'); slash >= 0; slash = it.path.indexOf('/', slash + 1))
      if (this.#ignored.get(it.path.slice(0, slash + 1))) return true;
    return this.#ignored.get(ignoredKey(it)) === true;
  }
}

/** Folders have keys of their own because some ignore rules apply only to folders. */
function ignoredKey({ path, is }: StatAt): string {
  return is === 'folder' ? `${path}/` : path;
}

function isIgnoreFile(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1) === '.gitignore';
}
