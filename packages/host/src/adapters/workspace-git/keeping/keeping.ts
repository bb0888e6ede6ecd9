import { join } from 'node:path';
import { SUBMODULE } from '../../../ports/file-modes.js';
import type { FileChange, StateId } from '../../../ports/workspace.js';
import { MAX_COPIED_BYTES, MAX_COPIES } from '../limits.js';
import type { ObjectReader } from '../objects/object-reader.js';
import { type ObjectWriter, syncToDisk } from '../objects/object-writer.js';
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
    const ids = contentsOf(changes);
    if (ids.length === 0) return;
    await this.#tiers.first<void>('keep', [{ name: 'copy', answer: () => this.#copy(ids, objects.writer) }], {
      name: 'pack',
      answer: () => pack(shadow, ids, ['--window=0']), // who waits for it wants to go on
    });
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
    const sizes = others.length > 0 ? await this.#reader.sizes(others) : [];
    if (sizes.reduce<number>((sum, size = 0) => sum + size, 0) > MAX_COPIED_BYTES) return notHere('too-large');
    const objects = await Promise.all(others.map((id) => this.#reader.read(id)));
    for (const object of objects) {
      if (object?.type !== 'blob' && object?.type !== 'tree') return notHere('object-missing');
      writer.write(object.type, object.content);
    }
    await writer.sync(ids); // fails for an object that has just been packed: it is no longer a file
    return undefined;
  }
}

/** The ids of what the host has of these. */
function contentsOf(changes: readonly FileChange[]): string[] {
  const versions = changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  const kept = versions.filter(({ mode, notKept }) => mode !== SUBMODULE && notKept?.reason !== 'lost');
  return [...new Set(kept.map(({ contentId }) => contentId))];
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

async function pack(
  { run, directory }: Shadow,
  ids: readonly string[],
  options: readonly string[] = [],
): Promise<void> {
  const packs = join(directory, 'objects', 'pack');
  await run(['pack-objects', '--quiet', ...options, join(packs, 'pack')], { input: `${ids.join('\n')}\n` });
  await syncToDisk(packs); // git has synced the files, and not their names
}
