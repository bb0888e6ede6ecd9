import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadProgress, StateId } from '../../ports/workspace.js';
import { GitRefusal } from '../shared/git/git.js';
import type { Opened } from './objects.js';
import { pathBytes, pathText } from './path-bytes.js';
import { quickLook } from './quick-look.js';
import type { Shadow } from './shadow.js';
import { type Changed, findChanged, stageAll } from './stage.js';

interface WholeLookOptions {
  /** Where the host keeps what it remembers of the folder. */
  readonly directory: string;
  open(): Promise<Opened>;
  /** The next `open` finds out anew what the folder is. */
  reopen(): void;
  /** The state without any file. */
  empty(): Promise<StateId>;
}

/** Looks at every file of a folder, when nobody knows which of them may have changed. */
export class WholeLook {
  readonly #options: WholeLookOptions;
  /** The user's repository lacks contents of files that are not on disk, as a partial clone does. */
  #incomplete = false;

  constructor(options: WholeLookOptions) {
    this.#options = options;
  }

  async look(onProgress: ReadProgress | undefined): Promise<StateId> {
    const opened = await this.#options.open();
    const { shadow, objects } = opened;
    objects.forgetIgnored();
    const { inIndex } = objects;
    objects.inIndex = undefined; // until this look has come to an end
    const changed = await findChanged(shadow).catch((error: unknown) => {
      if (error instanceof GitRefusal) return undefined; // it is tried once more
      throw error;
    });
    const quick = inIndex && changed && (await readFew(opened, inIndex, changed));
    if (!quick) return this.takeIntoIndex(changed, onProgress);
    objects.inIndex = inIndex;
    return quick;
  }

  /** The same, and the host's index holds all of it afterwards. */
  async takeIntoIndex(changed?: Changed, onProgress?: ReadProgress): Promise<StateId> {
    const { directory, open, reopen } = this.#options;
    const { shadow, objects } = await open();
    objects.inIndex = undefined;
    objects.writer.addLoose(await stageAll(shadow, objects.standIns, changed, onProgress));
    try {
      objects.inIndex = await this.#writeTree(shadow);
      return objects.inIndex;
    } catch {
      // Objects that only the user's repository had are gone with it: begin anew from what is on disk and there now.
      await rm(join(directory, 'index'), { force: true });
      reopen();
      const anew = await open();
      await stageAll(anew.shadow, anew.objects.standIns, undefined, onProgress);
      return await this.#writeTree(anew.shadow).catch(() => {
        this.#incomplete = true;
        return this.#writeTree(anew.shadow);
      });
    }
  }

  async #writeTree({ run, repository }: Shadow): Promise<StateId> {
    const prefix = repository?.prefix ? [`--prefix=${repository.prefix}/`] : [];
    try {
      return (await run(['write-tree', ...(this.#incomplete ? ['--missing-ok'] : []), ...prefix])).toString().trim();
    } catch (error) {
      if (/prefix .* not found/s.test(String(error))) return this.#options.empty(); // no file in that part of the repository
      throw error;
    }
  }
}

/** A few files that are not as in the index are read here: git would write the list of all files, and read it again. */
async function readFew({ shadow, objects }: Opened, inIndex: StateId, changed: Changed): Promise<StateId | undefined> {
  const { gone, files, nested, isIndexOther } = changed;
  if (isIndexOther || nested.length > 0) return undefined;
  const start = shadow.repository?.prefix ? pathBytes(`${shadow.repository.prefix}/`).length : 0;
  const paths = [...gone, ...files].map((path) => pathText(path.slice(start)));
  return quickLook(shadow, objects, inIndex, paths, { areFiles: true });
}
