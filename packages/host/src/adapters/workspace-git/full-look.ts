import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Abortable, ReadProgress, StateId } from '../../ports/workspace.js';
import { GitRefusal } from '../shared/git/git.js';
import type { Opened } from './objects.js';
import { pathBytes, pathText } from './path-bytes.js';
import { quickLook } from './quick-look.js';
import type { Shadow } from './shadow.js';
import { type Changed, findChanged, stageAll } from './stage.js';

interface FullLookOptions {
  /** The host's bare repository for the folder. */
  readonly directory: string;
  open(): Promise<Opened>;
  /** Makes the next `open` look for the folder's repository and settings again. */
  reopen(): void;
  /** The state without any files. */
  empty(): Promise<StateId>;
}

interface FullLookCall extends Abortable {
  readonly onProgress?: ReadProgress | undefined;
}

/** Looks at every file of a folder, for when it is not known which of them may have changed. */
export class FullLook {
  readonly #options: FullLookOptions;
  /** The user's repository lacks contents of files that are not on disk, as in a partial clone. */
  #incomplete = false;

  constructor(options: FullLookOptions) {
    this.#options = options;
  }

  async look({ onProgress, signal }: FullLookCall): Promise<StateId> {
    const opened = (await this.#options.open()).until(signal);
    const { shadow, objects } = opened;
    objects.forgetIgnored();
    const { inIndex } = objects;
    objects.inIndex = undefined; // unknown until this look has ended
    const changed = await findChanged(shadow).catch((error: unknown) => {
      if (error instanceof GitRefusal) return undefined; // takeIntoIndex tries once more
      throw error;
    });
    const quick = inIndex && changed && (await readFew(opened, inIndex, changed));
    if (!quick) return this.takeIntoIndex({ onProgress, signal }, changed);
    objects.inIndex = inIndex;
    return quick;
  }

  /** The same, but always brings the host's index up to date. */
  async takeIntoIndex({ onProgress, signal }: FullLookCall, changed?: Changed): Promise<StateId> {
    const { directory, open, reopen } = this.#options;
    const { shadow, objects } = (await open()).until(signal);
    objects.inIndex = undefined;
    objects.writer.addLoose(await stageAll(shadow, objects.standIns, changed, onProgress));
    try {
      objects.inIndex = await this.#writeTree(shadow);
      return objects.inIndex;
    } catch (error) {
      if (!(error instanceof GitRefusal)) throw error; // a git that was stopped says nothing of the objects
      // Objects that only the user's repository had are gone with it: start over from the files on disk.
      await rm(join(directory, 'index'), { force: true });
      reopen();
      const reopened = (await open()).until(signal);
      await stageAll(reopened.shadow, reopened.objects.standIns, undefined, onProgress);
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
async function readFew({ shadow, objects }: Opened, inIndex: StateId, changed: Changed): Promise<StateId | undefined> {
  const { gone, files, nested, hasIndexChanged } = changed;
  if (hasIndexChanged || nested.length > 0) return undefined;
  const start = shadow.repository?.prefix ? pathBytes(`${shadow.repository.prefix}/`).length : 0;
  const paths = [...gone, ...files].map((path) => pathText(path.slice(start)));
  return quickLook(shadow, objects, inIndex, paths, { areFiles: true });
}
