import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, SYMLINK } from '../../ports/file-modes.js';
import { type EditStep, FolderEditError } from '../../ports/folder-editor.js';
import type { FileVersion } from '../../ports/workspace.js';
import { each } from '../../queues/each.js';
import type { KnownModes } from '../shared/known-modes.js';
import type { ExchangeContext } from './exchange.js';
import type { EditorFileSystem } from './file-system.js';

/** The folder where an attempt keeps new files before, and old files after, they are exchanged. Git ignores it. */
export class Staging {
  readonly #fs: EditorFileSystem;
  readonly #folder: string;
  readonly #modes: KnownModes;
  readonly directory: string;

  constructor({ fs, folder, modes }: ExchangeContext, id: string) {
    this.#fs = fs;
    this.#folder = folder;
    this.#modes = modes;
    this.directory = join(folder, `.moorage-${id}`);
  }

  newFile(path: string): string {
    return join(this.directory, `new-${nameOf(path)}`);
  }

  oldFile(path: string): string {
    return join(this.directory, `old-${nameOf(path)}`);
  }

  async make(): Promise<void> {
    await this.#fs.mkdir(this.directory, { mode: 0o700 }); // it may hold private files
  }

  /** Writes all new files, so that a full disk is noticed before any of the user's files changes. */
  async fill(steps: readonly EditStep[], read: (id: string) => Promise<Uint8Array | undefined>): Promise<void> {
    const fs = this.#fs;
    await fs.writeFile(join(this.directory, '.gitignore'), '*\n');
    await each(steps, async ({ path, from, to }) => {
      if (!to) return;
      const content = await read(to.contentId);
      if (!content) throw new FolderEditError('refused', `${path}: its earlier content is no longer kept`);
      if (to.mode === SYMLINK) await fs.symlink(Buffer.from(content), this.newFile(path));
      else {
        const isReplaced = from?.mode.startsWith('100');
        const old = isReplaced ? await fs.lstat(join(this.#folder, path)).catch(() => undefined) : undefined;
        await this.#write(this.newFile(path), content, old, this.#permissions(path, old, to));
      }
    });
  }

  async remove(): Promise<void> {
    await this.#fs.rm(this.directory, { recursive: true, force: true });
  }

  async #write(
    file: string,
    content: Uint8Array,
    old: Stats | undefined,
    permissions: number | undefined,
  ): Promise<void> {
    const handle = await this.#fs.open(file, 'wx', 0o666);
    try {
      await handle.writeFile(content);
      if (old && isForeign(old)) await handle.chown(old.uid, old.gid).catch(() => undefined); // only root always may
      if (permissions !== undefined) await handle.chmod(permissions);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Git stores only whether a file is executable. The other permission bits are as the file has them, or had them. */
  #permissions(path: string, old: Stats | undefined, { mode, permissions }: FileVersion): number | undefined {
    const isExecutable = mode === EXECUTABLE;
    const known = old?.isFile() ? old.mode : (permissions ?? this.#modes.ofFile(path));
    if (known === undefined) return isExecutable ? 0o777 & ~process.umask() : undefined;
    const now = known & 0o777;
    if (((now & 0o100) !== 0) === isExecutable) return now;
    return isExecutable ? now | ((now & 0o444) >> 2) : now & ~0o111;
  }
}

/** Whether a file belongs to another user or group than a new one would. */
function isForeign({ uid, gid }: Stats): boolean {
  return uid !== process.getuid?.() || gid !== process.getgid?.();
}

/** Depends on the path only, so that settling after a crash finds the files of any attempt. */
function nameOf(path: string): string {
  return hash('sha256', path).slice(0, 32);
}
