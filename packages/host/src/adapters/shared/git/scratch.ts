import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Temporary files and folders. All are in one place in the host's data, which every start of the host empties, so
 * nothing stays behind after a kill. In the system's temporary folder nobody would clean up after us.
 */
export class Scratch {
  readonly #place: string;

  constructor(place: string) {
    this.#place = place;
    try {
      rmSync(place, { recursive: true, force: true });
    } catch {
      // If the disk cannot be written, whoever needs it next reports that.
    }
  }

  /** A path for a new file, which the caller renames to its final place right away. */
  newFile(): string {
    mkdirSync(this.#place, { recursive: true, mode: 0o700 });
    return join(this.#place, randomUUID());
  }

  /** Runs the work with a folder of its own, which is removed afterwards. */
  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await mkdir(this.#place, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(this.#place, 'use-'));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
