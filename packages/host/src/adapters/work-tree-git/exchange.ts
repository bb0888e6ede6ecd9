import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { SYMLINK } from '../../ports/file-modes.js';
import { type TreeStep, WorkTreeError } from '../../ports/work-tree.js';
import type { TreeFileSystem } from './file-system.js';
import { type Found, look, sameVersion, untouched } from './look.js';
import { makeParents, parentsOf, pruneParents } from './paths.js';
import type { Staging } from './staging.js';

/** Where an exchange happens. */
export interface Place {
  readonly fs: TreeFileSystem;
  readonly folder: string;
  /** The hash that names contents: sha1 or sha256. */
  readonly hash: string;
}

/** Puts one file in the place of another. What was there stays in the staging folder until the attempt is done. */
export class Exchange {
  readonly #place: Place;
  readonly #staging: Staging;
  readonly step: TreeStep;
  #found: Found | undefined;
  #state: 'untouched' | 'aside' | 'done' = 'untouched';
  #madeParents = false;

  constructor(place: Place, staging: Staging, step: TreeStep) {
    this.#place = place;
    this.#staging = staging;
    this.step = step;
  }

  async run(): Promise<void> {
    const { step } = this;
    this.#found = await this.#expect();
    if (this.#found) await this.#setAside(this.#found);
    if (!step.to) {
      this.#state = 'done';
      await pruneParents(this.#place.fs, this.#place.folder, step.path);
      return;
    }
    if (this.#found) await this.#place.fs.rename(this.#new, this.#target);
    else await this.#create();
    this.#state = 'done';
  }

  /** Somebody who had the old file open may have written to it while it was exchanged. */
  async verify(): Promise<void> {
    if (!this.#found) return;
    const now = await this.#place.fs.lstat(this.#old, { bigint: true });
    if (!untouched(this.#found.stats, now)) throw movedOn(this.step.path);
  }

  /** Puts back what was there; what somebody wrote to the new file since is left alone. */
  async undo(): Promise<void> {
    const { fs, folder, hash } = this.#place;
    if (this.#state === 'untouched') {
      if (this.#madeParents) await pruneParents(fs, folder, this.step.path);
      return;
    }
    if (this.#state === 'done' && this.step.to) {
      const now = await look(fs, folder, this.step.path, hash);
      if (now.kind !== 'found' || !sameVersion(now.found.version, this.step.to)) return;
      if (!this.#found) {
        await fs.unlink(this.#target);
        await pruneParents(fs, folder, this.step.path);
        this.#state = 'untouched';
        return;
      }
    }
    const isTaken = !this.step.to && (await fs.lstat(this.#target).catch(() => undefined));
    if (this.#found && !isTaken) {
      await makeParents(fs, folder, this.step.path);
      await fs.rename(this.#old, this.#target);
    }
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
    if (now.kind === 'barred') throw new WorkTreeError('refused', `${this.step.path}: ${now.why}`);
    const found = now.kind === 'found' ? now.found : undefined;
    if (!sameVersion(found?.version, this.step.from)) throw movedOn(this.step.path);
    return found;
  }

  /** A second name for the old file, so that there is no moment without one; a file that goes away is moved. */
  async #setAside(found: Found): Promise<void> {
    const { fs } = this.#place;
    const { to, from } = this.step;
    const linked = to !== undefined && from?.mode !== SYMLINK && (await this.#link(this.#target, this.#old));
    if (!linked) {
      await fs.rename(this.#target, this.#old);
      this.#state = 'aside';
    }
    if (!untouched(found.stats, await fs.lstat(this.#old, { bigint: true }))) throw movedOn(this.step.path);
  }

  async #create(): Promise<void> {
    const { fs, folder } = this.#place;
    this.#madeParents = await makeParents(fs, folder, this.step.path);
    // A link is never made over a file that appeared just now; a rename would be.
    if (this.step.to?.mode !== SYMLINK && (await this.#link(this.#new, this.#target))) return;
    if (await fs.lstat(this.#target).catch(() => undefined)) throw movedOn(this.step.path);
    await fs.rename(this.#new, this.#target);
  }

  /** False where the file system has no second names. */
  async #link(from: string, to: string): Promise<boolean> {
    try {
      await this.#place.fs.link(from, to);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw movedOn(this.step.path);
      if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EMLINK' || code === 'EXDEV' || code === 'ENOSYS')
        return false;
      throw error;
    }
  }
}

/** What goes away comes first, and deep paths before the folders that hold them. */
export function inOrder(steps: readonly TreeStep[]): TreeStep[] {
  const rank = ({ to }: TreeStep) => (to ? 1 : 0);
  const depth = ({ path }: TreeStep) => path.split('/').length;
  return [...steps].sort((a, b) => rank(a) - rank(b) || depth(b) - depth(a));
}

/** Finds what would stop an attempt half way: files where folders must be, folders that stay, folders that are locked. */
export async function checkRoom({ fs, folder }: Place, steps: readonly TreeStep[]): Promise<void> {
  const leaving = new Set(steps.filter(({ to }) => !to).map(({ path }) => path));
  const writable = new Set<string>();
  for (const { path, to } of steps) {
    for (const parent of parentsOf(path)) {
      const found = await fs.lstat(join(folder, parent)).catch(() => undefined);
      if (found && !found.isDirectory() && !leaving.has(parent))
        throw new WorkTreeError('refused', `${path}: ${parent} is not a folder`);
    }
    const target = await fs.lstat(join(folder, path)).catch(() => undefined);
    if (to && target?.isDirectory()) await expectLeaving(fs, folder, path, leaving);
    const holder = dirname(join(folder, path));
    if (writable.has(holder)) continue;
    const isThere = await fs.lstat(holder).catch(() => undefined);
    if (isThere?.isDirectory()) {
      await fs.access(holder, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
        throw new WorkTreeError('refused', `${path}: its folder cannot be written to`, { cause });
      });
    }
    writable.add(holder);
  }
}

async function expectLeaving(
  fs: TreeFileSystem,
  folder: string,
  path: string,
  leaving: ReadonlySet<string>,
): Promise<void> {
  for (const entry of await fs.readdir(join(folder, path), { withFileTypes: true })) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) await expectLeaving(fs, folder, inner, leaving);
    else if (!leaving.has(inner))
      throw new WorkTreeError('refused', `${path}: it is a folder now, and ${inner} is in it`);
  }
}

function movedOn(path: string): WorkTreeError {
  return new WorkTreeError('refused', `${path} was written to at the same moment; try again`);
}
