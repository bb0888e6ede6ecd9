import { join } from 'node:path';
import { SUBMODULE } from '../../ports/file-modes.js';
import type { FileChange, FileVersion, StateId } from '../../ports/workspace.js';
import { MAX_QUICK_COPIED_BYTES, MAX_QUICK_COPIES } from './limits.js';
import type { ObjectReader } from './object-reader.js';
import type { ObjectWriter } from './object-writer.js';
import type { Opened } from './objects.js';
import type { Shadow } from './shadow.js';

/** Makes what changesets show the host's own: whatever happens to the user's repository later cannot take it away. */
export class Keeping {
  readonly #reader: ObjectReader;
  #namesKept: StateId | undefined;

  constructor(reader: ObjectReader) {
    this.#reader = reader;
  }

  async contents({ shadow, objects }: Opened, changes: readonly FileChange[]): Promise<void> {
    const kept = contentsOf(changes);
    const ids = [...new Set(kept.map(({ contentId }) => contentId))];
    const bytes = kept.reduce((sum, { size = 0 }) => sum + size, 0);
    const isMuch = bytes > MAX_QUICK_COPIED_BYTES;
    if (isMuch || !(await this.#copy(ids, objects.writer))) await pack(shadow, ids);
  }

  /** The names of all files of a state; those that it shares with the last one are there already. */
  async names({ shadow, objects }: Opened, state: StateId): Promise<void> {
    const last = this.#namesKept;
    if (last === state) return;
    const since = last && (await objects.trees.treesSince(last, state, MAX_QUICK_COPIES).catch(() => undefined));
    if (!since || !(await this.#copy(since, objects.writer))) await packNames(shadow, state, last);
    this.#namesKept = state;
  }

  /** What was kept may have been let go of. */
  forget(): void {
    this.#namesKept = undefined;
  }

  /**
   * Keeps a few objects without starting git: most were written here already, and what only the user's repository has is
   * copied. False when there are too many, or one is not there, so that git must do it, or say what is wrong.
   */
  async #copy(ids: readonly string[], writer: ObjectWriter): Promise<boolean> {
    const others = ids.filter((id) => !writer.has(id));
    if (others.length > MAX_QUICK_COPIES) return false;
    const objects = await Promise.all(others.map((id) => this.#reader.read(id)));
    for (const object of objects) {
      if (object?.type !== 'blob' && object?.type !== 'tree') return false;
      writer.write(object.type, object.content);
    }
    return writer.sync(ids).then(
      () => true,
      () => false, // what was just packed is no file any more
    );
  }
}

function contentsOf(changes: readonly FileChange[]): FileVersion[] {
  const versions = changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  return versions.filter(({ mode, notKept }) => mode !== SUBMODULE && notKept?.reason !== 'lost');
}

async function packNames(shadow: Shadow, state: StateId, last: StateId | undefined): Promise<void> {
  const known = last === undefined ? [] : [`^${last}`];
  const list = ['rev-list', '--objects', '--filter=blob:none', '--filter-provided-objects', state, ...known];
  const names = (await shadow.run(list)).toString().split('\n');
  await pack(
    shadow,
    names.flatMap((line) => line.split(' ', 1)[0] || []),
  );
}

async function pack({ run, directory }: Shadow, ids: readonly string[]): Promise<void> {
  await run(['pack-objects', '--quiet', join(directory, 'objects', 'pack', 'pack')], { input: `${ids.join('\n')}\n` });
}
