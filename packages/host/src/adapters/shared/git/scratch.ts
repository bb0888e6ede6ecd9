import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Folders for what git needs for a moment. All lie in one place in the host's data, which a new life of the host empties: what a
 * kill left there is nobody's any more, and in the system's folder for temporary files nobody would ever look for it.
 */
export class Scratch {
  readonly #place: string;
  readonly #emptied: Promise<void>;

  constructor(place: string) {
    this.#place = place;
    // A disk that cannot be written now is met, and said, by whoever needs it.
    this.#emptied = rm(place, { recursive: true, force: true }).catch(() => undefined);
  }

  /** Runs the work with a folder of its own, which is gone afterwards. */
  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await this.#emptied;
    await mkdir(this.#place, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(this.#place, 'use-'));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
