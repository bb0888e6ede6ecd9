import { join } from 'node:path';
import { SUBMODULE } from '../../../ports/file-modes.js';
import type { FileChange, FileVersion, StateId } from '../../../ports/workspace.js';
import { MAX_COPIED_BYTES, MAX_COPIES } from '../limits.js';
import type { ObjectReader } from '../objects/object-reader.js';
import type { ObjectWriter } from '../objects/object-writer.js';
import type { Opened } from '../objects/objects.js';
import type { Shadow } from '../repository/shadow.js';
import { type NotHere, notHere, type Tiers } from '../tiers.js';

/** Copies what changesets show into the host's store, so that it survives whatever happens to the user's repository. */
export class Keeping {
  readonly #reader: ObjectReader;
  readonly #tiers: Tiers;
  #namesKept: StateId | undefined;

  constructor(reader: ObjectReader, tiers: Tiers) {
    this.#reader = reader;
    this.#tiers = tiers;
  }

  async contents({ shadow, objects }: Opened, changes: readonly FileChange[]): Promise<void> {
    const kept = contentsOf(changes);
    const ids = [...new Set(kept.map(({ contentId }) => contentId))];
    const bytes = kept.reduce((sum, { size = 0 }) => sum + size, 0);
    await this.#tiers.first<void>(
      'keep',
      [
        {
          name: 'copy',
          answer: async () => (bytes > MAX_COPIED_BYTES ? notHere('too-large') : this.#copy(ids, objects.writer)),
        },
      ],
      { name: 'pack', answer: () => pack(shadow, ids) },
    );
  }

  /** Keeps the names of all files of a state. Those it shares with the last such state are kept already. */
  async names({ shadow, objects }: Opened, state: StateId): Promise<void> {
    const last = this.#namesKept;
    if (last === state) return;
    await this.#tiers.first<void>(
      'keep-names',
      [
        {
          name: 'copy',
          answer: async () => {
            if (last === undefined) return notHere('nothing-known');
            const since = await objects.trees.treesSince(last, state, MAX_COPIES);
            return since ? this.#copy(since, objects.writer) : notHere('too-many');
          },
        },
      ],
      { name: 'pack', answer: () => packNames(shadow, state, last) },
    );
    this.#namesKept = state;
  }

  /** Call this when kept names may have been removed from the store. */
  forget(): void {
    this.#namesKept = undefined;
  }

  /**
   * Keeps a few objects without starting git: most are in the host's store already, and the rest is copied from the
   * user's repository. If one is missing, git must say what is wrong.
   */
  async #copy(ids: readonly string[], writer: ObjectWriter): Promise<NotHere | undefined> {
    const others = ids.filter((id) => !writer.has(id));
    if (others.length > MAX_COPIES) return notHere('too-many');
    const objects = await Promise.all(others.map((id) => this.#reader.read(id)));
    for (const object of objects) {
      if (object?.type !== 'blob' && object?.type !== 'tree') return notHere('object-missing');
      writer.write(object.type, object.content);
    }
    await writer.sync(ids); // fails for an object that has just been packed: it is no longer a file
    return undefined;
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
