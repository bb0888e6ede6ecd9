import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { SYMLINK } from '../../ports/file-modes.js';
import { type EditStep, FolderEditError } from '../../ports/folder-editor.js';
import type { EditorFileSystem } from './file-system.js';
import { type Found, look, sameVersion, untouched } from './look.js';
import { makeParents, parentsOf, pruneParents } from './paths.js';
import type { Staging } from './staging.js';

/** Where an exchange happens. */
export interface Place {
  readonly fs: EditorFileSystem;
  readonly folder: string;
  /** The hash that names contents: sha1 or sha256. */
  readonly hash: string;
}

/** Puts one file in the place of another. What was there stays in the staging folder until the attempt is done. */
export class Exchange {
  readonly #place: Place;
  readonly #staging: Staging;
  readonly step: EditStep;
  #found: Found | undefined;
  #state: 'untouched' | 'aside' | 'done' = 'untouched';
  #madeParents = false;

  constructor(place: Place, staging: Staging, step: EditStep) {
    this.#place = place;
    this.#staging = staging;
    this.step = step;
  }

  async run(): Promise<void> {
    const { fs, folder } = this.#place;
    const { path, to } = this.step;
    this.#found = await this.#expect();
    if (this.#found) await this.#setAside(this.#found);
    if (to && !(await this.#putNew())) throw movedOn(path);
    this.#state = 'done';
    if (!to) await pruneParents(fs, folder, path);
  }

  /** Somebody who had the old file open may have written to it while it was exchanged. */
  async verify(): Promise<void> {
    if (this.#found && !(await isUntouched(this.#place.fs, this.#found, this.#old))) throw movedOn(this.step.path);
  }

  /** Puts back what was there; what somebody wrote to the new file since is left alone. */
  async undo(): Promise<void> {
    const { fs, folder } = this.#place;
    const { path, to } = this.step;
    const isExchanged = this.#state === 'done' && to !== undefined;
    if (this.#found && this.#state !== 'untouched') {
      const isBack = isExchanged ? await this.#exchangeBack() : await this.#putBack();
      // Theirs stays. If the old file is somebody's work as well, both do: that one in the staging folder.
      if (!isBack && !(await isUntouched(fs, this.#found, this.#old))) throw movedOn(path);
    } else if (isExchanged ? await this.#takeBack() : this.#madeParents) await pruneParents(fs, folder, path);
    this.#state = 'untouched';
  }

  get #target(): string {
    return join(this.#place.folder, this.step.path);
  }

  get #new(): string {
    return this.#staging.newFile(this.step.path);
  }

  get #old(): string {
    return this.#staging.oldFile(this.step.path);
  }

  async #expect(): Promise<Found | undefined> {
    const { fs, folder, hash } = this.#place;
    const now = await look(fs, folder, this.step.path, hash);
    if (now.kind === 'barred') throw new FolderEditError('refused', `${this.step.path}: ${now.why}`);
    const found = now.kind === 'found' ? now.found : undefined;
    if (!sameVersion(found?.version, this.step.from)) throw movedOn(this.step.path);
    return found;
  }

  /** A second name for the old file, so that there is no moment without one; a file that goes away is moved, and then looked at. */
  async #setAside(found: Found): Promise<void> {
    const { fs } = this.#place;
    const { from, to } = this.step;
    const isNamedTwice = to !== undefined && from?.mode !== SYMLINK && (await this.#link());
    if (!isNamedTwice) {
      await fs.rename(this.#target, this.#old);
      this.#state = 'aside';
    }
    if (!(await isUntouched(fs, found, this.#old))) throw movedOn(this.step.path);
  }

  /** False where the file system has no second names. */
  async #link(): Promise<boolean> {
    try {
      await this.#place.fs.link(this.#target, this.#old);
      return true;
    } catch (error) {
      if (NO_SECOND_NAMES.has((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw error;
    }
  }

  /** Only over the very file that was looked at: editors save by putting another one in its place. */
  async #putNew(): Promise<boolean> {
    const { fs, folder } = this.#place;
    if (this.#found && this.#state === 'untouched') return fs.replace(this.#new, this.#target, this.#found.stats);
    this.#madeParents = await makeParents(fs, folder, this.step.path);
    return this.#put(this.#new);
  }

  async #exchangeBack(): Promise<boolean> {
    const { fs, folder, hash } = this.#place;
    const now = await look(fs, folder, this.step.path, hash);
    if (now.kind !== 'found' || !sameVersion(now.found.version, this.step.to)) return false;
    return fs.replace(this.#old, this.#target, now.found.stats);
  }

  async #putBack(): Promise<boolean> {
    const { fs, folder } = this.#place;
    await makeParents(fs, folder, this.step.path);
    if (!(await this.#put(this.#old))) return false;
    await fs.rm(this.#old, { force: true });
    return true;
  }

  /** Removes a file that was made; false if something else is there, which stays. */
  async #takeBack(): Promise<boolean> {
    const { fs, folder, hash } = this.#place;
    const now = await look(fs, folder, this.step.path, hash);
    if (now.kind !== 'found' || !sameVersion(now.found.version, this.step.to)) return false;
    await fs.rm(this.#new, { force: true }); // a file is not renamed to another name of its own
    await fs.rename(this.#target, this.#new);
    if (await isUntouched(fs, now.found, this.#new)) return true;
    await this.#put(this.#new);
    return false;
  }

  /** Puts a file where nothing is; false if something is there. A rename would go over what appears just now. */
  async #put(file: string): Promise<boolean> {
    const { fs } = this.#place;
    try {
      const isLink = (await fs.lstat(file)).isSymbolicLink(); // some systems would make a name for what it points to
      if (isLink) await fs.symlink(await fs.readlink(file, { encoding: 'buffer' }), this.#target);
      else await fs.link(file, this.#target);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      // Some file systems have no second names, and a full disk may have no room for one.
      if (await fs.lstat(this.#target).catch(() => undefined)) return false;
      await fs.rename(file, this.#target);
      return true;
    }
  }
}

/** What systems say that have none, or not for this file. */
const NO_SECOND_NAMES = new Set(['EPERM', 'ENOTSUP', 'EMLINK', 'EXDEV', 'ENOSYS']);

async function isUntouched(fs: EditorFileSystem, found: Found, at: string): Promise<boolean> {
  return untouched(found.stats, await fs.lstat(at, { bigint: true }));
}

/** What goes away comes first, and deep paths before the folders that hold them. */
export function inOrder(steps: readonly EditStep[]): EditStep[] {
  const rank = ({ to }: EditStep) => (to ? 1 : 0);
  const depth = ({ path }: EditStep) => path.split('/').length;
  return [...steps].sort((a, b) => rank(a) - rank(b) || depth(b) - depth(a));
}

/** Finds what would stop an attempt half way: files where folders must be, folders that stay, folders that are locked. */
export async function checkRoom({ fs, folder }: Place, steps: readonly EditStep[]): Promise<void> {
  const leaving = new Set(steps.filter(({ to }) => !to).map(({ path }) => path));
  const writable = new Set<string>();
  for (const { path, to } of steps) {
    for (const parent of parentsOf(path)) {
      const found = await fs.lstat(join(folder, parent)).catch(() => undefined);
      if (found && !found.isDirectory() && !leaving.has(parent))
        throw new FolderEditError('refused', `${path}: ${parent} is not a folder`);
    }
    const target = await fs.lstat(join(folder, path)).catch(() => undefined);
    if (to && target?.isDirectory()) await expectLeaving(fs, folder, path, leaving);
    const holder = dirname(join(folder, path));
    if (writable.has(holder)) continue;
    const isThere = await fs.lstat(holder).catch(() => undefined);
    if (isThere?.isDirectory()) {
      await fs.access(holder, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
        throw new FolderEditError('refused', `${path}: its folder cannot be written to`, { cause });
      });
    }
    writable.add(holder);
  }
}

async function expectLeaving(
  fs: EditorFileSystem,
  folder: string,
  path: string,
  leaving: ReadonlySet<string>,
): Promise<void> {
  for (const entry of await fs.readdir(join(folder, path), { withFileTypes: true })) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) await expectLeaving(fs, folder, inner, leaving);
    else if (!leaving.has(inner))
      throw new FolderEditError('refused', `${path}: it is a folder now, and ${inner} is in it`);
  }
}

function movedOn(path: string): FolderEditError {
  return new FolderEditError('refused', `${path} was written to at the same moment; try again`);
}
