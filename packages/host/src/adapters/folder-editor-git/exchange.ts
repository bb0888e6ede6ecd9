import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { SYMLINK } from '../../ports/file-modes.js';
import { type EditStep, FolderEditError } from '../../ports/folder-editor.js';
import type { KnownModes } from '../shared/known-modes.js';
import type { EditorFileSystem } from './file-system.js';
import { type FileOnDisk, readPath, sameVersion, untouched } from './file-system.js';
import { makeParents, parentsOf, pruneParents } from './paths.js';
import type { Staging } from './staging.js';

export interface ExchangeContext {
  readonly fs: EditorFileSystem;
  readonly folder: string;
  readonly modes: KnownModes;
  /** The hash function of content ids: sha1 or sha256. */
  readonly hash: string;
}

/** Replaces, creates or removes one file. The old file stays in the staging folder until the attempt is done. */
export class Exchange {
  readonly #context: ExchangeContext;
  readonly #staging: Staging;
  readonly step: EditStep;
  #found: FileOnDisk | undefined;
  #state: 'untouched' | 'aside' | 'done' = 'untouched';
  #madeParents = false;

  constructor(context: ExchangeContext, staging: Staging, step: EditStep) {
    this.#context = context;
    this.#staging = staging;
    this.step = step;
  }

  async run(): Promise<void> {
    const { fs, folder } = this.#context;
    const { path, to } = this.step;
    this.#found = await this.#expect();
    if (this.#found) await this.#setAside(this.#found);
    if (to && !(await this.#putNew())) throw concurrentWrite(path);
    this.#state = 'done';
    if (!to) await pruneParents(fs, folder, path, this.step.folder);
  }

  /** Rejects if a program that had the old file open wrote to it during the exchange. */
  async verify(): Promise<void> {
    if (this.#found && !(await isUntouched(this.#context.fs, this.#found, this.#old)))
      throw concurrentWrite(this.step.path);
  }

  /** Restores the old file, unless someone has written to the new one since. */
  async undo(): Promise<void> {
    const { fs, folder } = this.#context;
    const { path, to } = this.step;
    const isExchanged = this.#state === 'done' && to !== undefined;
    if (this.#found && this.#state !== 'untouched') {
      const isRestored = isExchanged ? await this.#exchangeBack() : await this.#putBack();
      // The file someone wrote stays. If someone wrote to the old file as well, that one stays in the staging folder.
      if (!isRestored && !(await isUntouched(fs, this.#found, this.#old))) throw concurrentWrite(path);
    } else if (isExchanged ? await this.#removeNew() : this.#madeParents) await pruneParents(fs, folder, path);
    this.#state = 'untouched';
  }

  get #target(): string {
    return join(this.#context.folder, this.step.path);
  }

  get #new(): string {
    return this.#staging.newFile(this.step.path);
  }

  get #old(): string {
    return this.#staging.oldFile(this.step.path);
  }

  /** The file that the step expects to find. Rejects if something else is there. */
  async #expect(): Promise<FileOnDisk | undefined> {
    const { fs, folder, hash } = this.#context;
    const now = await readPath(fs, folder, this.step.path, hash);
    if (now.kind === 'barred') throw new FolderEditError('refused', `${this.step.path}: ${now.why}`);
    const found = now.kind === 'found' ? now.found : undefined;
    if (!sameVersion(found?.version, this.step.from)) throw concurrentWrite(this.step.path);
    return found;
  }

  /**
   * Links the old file into the staging folder, so that its path is never without a file. A file that is to be removed, and
   * one that cannot be linked, is moved there instead.
   */
  async #setAside(found: FileOnDisk): Promise<void> {
    const { fs } = this.#context;
    const { from, to } = this.step;
    const isLinked = to !== undefined && from?.mode !== SYMLINK && (await this.#link());
    if (!isLinked) {
      await fs.rename(this.#target, this.#old);
      this.#state = 'aside';
    }
    if (!(await isUntouched(fs, found, this.#old))) throw concurrentWrite(this.step.path);
  }

  /** Returns false if the file system has no hard links. */
  async #link(): Promise<boolean> {
    try {
      await this.#context.fs.link(this.#target, this.#old);
      return true;
    } catch (error) {
      if (NO_HARD_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw error;
    }
  }

  /** Replaces only the very file that was inspected: editors save by putting another file in its place. */
  async #putNew(): Promise<boolean> {
    const { fs } = this.#context;
    if (this.#found && this.#state === 'untouched') return fs.replace(this.#new, this.#target, this.#found.stats);
    this.#madeParents = await makeParents(this.#context, this.step.path);
    return this.#put(this.#new);
  }

  async #exchangeBack(): Promise<boolean> {
    const { fs, folder, hash } = this.#context;
    const now = await readPath(fs, folder, this.step.path, hash);
    if (now.kind !== 'found' || !sameVersion(now.found.version, this.step.to)) return false;
    return fs.replace(this.#old, this.#target, now.found.stats);
  }

  async #putBack(): Promise<boolean> {
    const { fs } = this.#context;
    await makeParents(this.#context, this.step.path);
    if (!(await this.#put(this.#old))) return false;
    await fs.rm(this.#old, { force: true });
    return true;
  }

  /** Removes a file that this exchange created. Returns false, and leaves it, if it is no longer that file. */
  async #removeNew(): Promise<boolean> {
    const { fs, folder, hash } = this.#context;
    const now = await readPath(fs, folder, this.step.path, hash);
    if (now.kind !== 'found' || !sameVersion(now.found.version, this.step.to)) return false;
    await fs.rm(this.#new, { force: true }); // a rename onto another link to the same file does nothing
    await fs.rename(this.#target, this.#new);
    if (await isUntouched(fs, now.found, this.#new)) return true;
    await this.#put(this.#new);
    return false;
  }

  /** Puts a file where there is none; returns false if there is one. A rename would overwrite a file that just appeared. */
  async #put(file: string): Promise<boolean> {
    const { fs } = this.#context;
    try {
      const isLink = (await fs.lstat(file)).isSymbolicLink(); // some systems would link its target instead
      if (isLink) await fs.symlink(await fs.readlink(file, { encoding: 'buffer' }), this.#target);
      else await fs.link(file, this.#target);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      // Some file systems have no hard links, and a full disk may have no room for one.
      if (await fs.lstat(this.#target).catch(() => undefined)) return false;
      await fs.rename(file, this.#target);
      return true;
    }
  }
}

/** The errors of systems that have no hard links, or not for this file. */
const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EMLINK', 'EXDEV', 'ENOSYS']);

async function isUntouched(fs: EditorFileSystem, found: FileOnDisk, at: string): Promise<boolean> {
  return untouched(found.stats, await fs.lstat(at, { bigint: true }));
}

/** Puts removals first, and deeper paths before shallower ones. */
export function inOrder(steps: readonly EditStep[]): EditStep[] {
  const rank = ({ to }: EditStep) => (to ? 1 : 0);
  const depth = ({ path }: EditStep) => path.split('/').length;
  return [...steps].sort((a, b) => rank(a) - rank(b) || depth(b) - depth(a));
}

/** Rejects if an attempt would fail half way: at a file where a folder must be, a folder in use, or a read-only folder. */
export async function checkRoom({ fs, folder }: ExchangeContext, steps: readonly EditStep[]): Promise<void> {
  const removed = new Set(steps.filter(({ to }) => !to).map(({ path }) => path));
  const writable = new Set<string>();
  for (const { path, to } of steps) {
    for (const parent of parentsOf(path)) {
      const found = await fs.lstat(join(folder, parent)).catch(() => undefined);
      if (found && !found.isDirectory() && !removed.has(parent))
        throw new FolderEditError('refused', `${path}: ${parent} is not a folder`);
    }
    const target = await fs.lstat(join(folder, path)).catch(() => undefined);
    if (to && target?.isDirectory()) await expectRemoved(fs, folder, path, removed);
    const parent = dirname(join(folder, path));
    if (writable.has(parent)) continue;
    const found = await fs.lstat(parent).catch(() => undefined);
    if (found?.isDirectory()) {
      await fs.access(parent, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
        throw new FolderEditError('refused', `${path}: its folder cannot be written to`, { cause });
      });
    }
    writable.add(parent);
  }
}

/** Rejects if a folder has a file that no step removes. */
async function expectRemoved(
  fs: EditorFileSystem,
  folder: string,
  path: string,
  removed: ReadonlySet<string>,
): Promise<void> {
  for (const entry of await fs.readdir(join(folder, path), { withFileTypes: true })) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) await expectRemoved(fs, folder, inner, removed);
    else if (!removed.has(inner))
      throw new FolderEditError('refused', `${path}: it is a folder now, and contains ${inner}`);
  }
}

function concurrentWrite(path: string): FolderEditError {
  return new FolderEditError('refused', `${path} was written to at the same moment; try again`);
}
