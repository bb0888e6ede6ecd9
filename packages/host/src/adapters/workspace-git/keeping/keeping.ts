import { join } from 'node:path';
import { SUBMODULE } from '../../../ports/file-modes.js';
import type { FileChange, FileVersion, StateId } from '../../../ports/workspace.js';
import { MAX_QUICK_COPIED_BYTES, MAX_QUICK_COPIES } from '../limits.js';
import type { ObjectReader } from '../objects/object-reader.js';
import type { ObjectWriter } from '../objects/object-writer.js';
import type { Opened } from '../objects/objects.js';
import type { Shadow } from '../repository/shadow.js';

/** Copies what changesets show into the host's store, so that it survives whatever happens to the user's repository. */
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
    const isTooMuch = bytes > MAX_QUICK_COPIED_BYTES;
    if (isTooMuch || !(await this.#copy(ids, objects.writer))) await pack(shadow, ids);
  }

  /** Keeps the names of all files of a state. Those it shares with the last such state are kept already. */
  async names({ shadow, objects }: Opened, state: StateId): Promise<void> {
    const last = this.#namesKept;
    if (last === state) return;
    const since = last && (await objects.trees.treesSince(last, state, MAX_QUICK_COPIES).catch(() => undefined));
    if (!since || !(await this.#copy(since, objects.writer))) await packNames(shadow, state, last);
    this.#namesKept = state;
  }

  /** Call this when kept names may have been removed from the store. */
  forget(): void {
    this.#namesKept = undefined;
  }

  /**
   * Keeps a few objects without starting git: most are in the host's store already, and the rest is copied from the
   * user's repository. False if there are too many or one is missing; then git must do it, or say what is wrong.
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
      () => false, // an object that has just been packed is no longer a file
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
