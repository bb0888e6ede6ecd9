import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Abortable, ReadProgress, StateId } from '../../../ports/workspace.js';
import { GitRefusal } from '../../shared/git/git.js';
import type { Opened } from '../objects/objects.js';
import type { Shadow } from '../repository/shadow.js';
import { isNotHere, notHere, type Tiers } from '../tiers.js';
import { FilesOnDisk } from './files-on-disk.js';
import { readPaths } from './read-paths.js';
import { pathBytes, pathText } from './trees.js';
import { type Changed, findChanged, stageAll } from './update-index.js';

interface ScanOptions {
  /** The host's bare repository for the folder. */
  readonly directory: string;
  open(): Promise<Opened>;
  /** Makes the next `open` look for the folder's repository and settings again. */
  reopen(): void;
  /** The state without any files. */
  empty(): Promise<StateId>;
  readonly tiers: Tiers;
}

interface ScanCall extends Abortable {
  readonly onProgress?: ReadProgress | undefined;
}

/** Compares every file of a folder with the host's index, for when it is not known which of them may have changed. */
export class Scan {
  readonly #options: ScanOptions;
  /** The user's repository lacks contents of files that are not on disk, as in a partial clone. */
  #incomplete = false;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  /** The folder's state. */
  async run({ onProgress, signal }: ScanCall): Promise<StateId> {
    const opened = (await this.#options.open()).until(signal);
    const { objects } = opened;
    objects.forgetIgnored();
    const { inIndex } = objects;
    objects.inIndex = undefined; // unknown until this scan has ended
    const files = new FilesOnDisk(opened.shadow.folder, objects.writer);
    const readAhead = inIndex === undefined ? undefined : (path: string) => files.readAhead(path);
    const changed = await findChanged(opened, inIndex, readAhead)
      .catch((error: unknown) => {
        if (error instanceof GitRefusal) return undefined; // takeIntoIndex tries once more
        throw error;
      })
      .finally(() => files.stopReadingAhead());
    return this.#options.tiers.first<StateId>(
      'scan',
      [
        {
          name: 'changed-files',
          answer: async () => {
            if (!inIndex || !changed) return notHere('nothing-known');
            const state = await readChanged(opened, inIndex, changed, files);
            if (!isNotHere(state)) objects.inIndex = inIndex; // the index stays as it is
            return state;
          },
        },
      ],
      { name: 'index', answer: () => this.takeIntoIndex({ onProgress, signal }, changed) },
      signal,
    );
  }

  /** The same, but always brings the host's index up to date. */
  async takeIntoIndex({ onProgress, signal }: ScanCall, changed?: Changed): Promise<StateId> {
    const { directory, open, reopen } = this.#options;
    const opened = (await open()).until(signal);
    const { shadow, objects } = opened;
    objects.inIndex = undefined;
    objects.writer.addLoose(await stageAll(opened, changed, onProgress));
    try {
      objects.inIndex = await this.#writeTree(shadow);
      return objects.inIndex;
    } catch (error) {
      if (!(error instanceof GitRefusal)) throw error; // a git that was stopped says nothing of the objects
      // Objects that only the user's repository had are gone with it: start over from the files on disk.
      await rm(join(directory, 'index'), { force: true });
      reopen();
      const reopened = (await open()).until(signal);
      await stageAll(reopened, undefined, onProgress);
      return await this.#writeTree(reopened.shadow).catch(() => {
        this.#incomplete = true;
        return this.#writeTree(reopened.shadow);
      });
    }
  }

  async #writeTree({ run, repository }: Shadow): Promise<StateId> {
    const prefix = repository?.prefix ? [`--prefix=${repository.prefix}/`] : [];
    try {
      return (await run(['write-tree', ...(this.#incomplete ? ['--missing-ok'] : []), ...prefix])).toString().trim();
    } catch (error) {
      if (/prefix .* not found/s.test(String(error))) return this.#options.empty(); // the folder has no files
      throw error;
    }
  }
}

/** Reads a few changed files in this process: git would write its list of all files, and read it again. */
async function readChanged({ shadow, objects }: Opened, inIndex: StateId, changed: Changed, listed: FilesOnDisk) {
  const { gone, files, nested, hasIndexChanged } = changed;
  if (hasIndexChanged) return notHere('ignore-rules');
  if (nested.length > 0) return notHere('nested-repository');
  const start = shadow.repository?.prefix ? pathBytes(`${shadow.repository.prefix}/`).length : 0;
  const paths = [...gone, ...files].map((path) => pathText(path.slice(start)));
  return readPaths(shadow, objects, inIndex, paths, { listed });
}
