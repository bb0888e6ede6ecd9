import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Folders and files for what is needed for a moment. All lie in one place in the host's data, which a new life of the host empties: what a
 * kill left there is nobody's any more, and in the system's folder for temporary files nobody would ever look for it.
 */
export class Scratch {
  readonly #place: string;

  constructor(place: string) {
    this.#place = place;
    try {
      rmSync(place, { recursive: true, force: true });
    } catch {
      // A disk that cannot be written now is met, and said, by whoever needs it.
    }
  }

  /** Where a file can be written that is to be renamed at once. */
  newFile(): string {
    mkdirSync(this.#place, { recursive: true, mode: 0o700 });
    return join(this.#place, randomUUID());
  }

  /** Runs the work with a folder of its own, which is gone afterwards. */
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
