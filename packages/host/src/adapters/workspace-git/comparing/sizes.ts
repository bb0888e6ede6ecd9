import { SUBMODULE } from '../../../ports/file-modes.js';
import type { FileChange, FileVersion } from '../../../ports/workspace.js';
import { MAX_DIFFED_FILE_BYTES } from '../limits.js';
import type { ObjectReader } from '../objects/object-reader.js';
import type { Placeholders } from '../objects/placeholders.js';

/** The sizes of contents. Each is asked for once, possibly before anybody waits for it. */
export class Sizes {
  readonly #reader: ObjectReader;
  readonly #sizes = new Map<string, number | undefined>();
  #asked: Promise<void>[] = [];

  constructor(reader: ObjectReader) {
    this.#reader = reader;
  }

  /** Starts asking; an error is thrown by `all`. */
  ask(contentIds: readonly string[]): void {
    const asked = this.#ask(contentIds);
    asked.catch(() => undefined);
    this.#asked.push(asked);
  }

  /** All sizes asked for so far; undefined for a missing content. */
  async all(): Promise<ReadonlyMap<string, number | undefined>> {
    await Promise.all(this.#asked);
    return this.#sizes;
  }

  async #ask(contentIds: readonly string[]): Promise<void> {
    const fresh = contentIds.filter((id) => !this.#sizes.has(id));
    if (fresh.length === 0) return;
    for (const id of fresh) this.#sizes.set(id, undefined);
    const sizes = await this.#reader.sizes(fresh);
    for (const [index, id] of fresh.entries()) this.#sizes.set(id, sizes[index]);
  }
}

/** Adds the sizes of contents, and which ones are not kept. */
export async function describeContents(
  changes: readonly FileChange[],
  sizes: Sizes,
  placeholders: Placeholders,
): Promise<FileChange[]> {
  sizes.ask(changes.flatMap(({ before, after }) => [...unknownIn(before), ...unknownIn(after)]));
  const known = await sizes.all();
  return changes.map((change) => describeChange(change, known, placeholders));
}

/** The same for one change, with sizes that are already known. */
export function describeChange(
  change: FileChange,
  known: ReadonlyMap<string, number | undefined>,
  placeholders: Placeholders,
): FileChange {
  const described = (version: FileVersion | undefined): FileVersion | undefined => {
    if (!version || version.mode === SUBMODULE) return version;
    const { path, contentId, mode } = version;
    const placeholder = placeholders.get(contentId);
    if (placeholder) return { path, contentId, mode, size: placeholder.size, notKept: placeholder };
    const size = version.size ?? known.get(contentId);
    if (size === undefined) return { path, contentId, mode, notKept: { reason: 'lost', size: 0 } };
    return { path, contentId, mode, size };
  };
  const [before, after] = [described(change.before), described(change.after)];
  const { added, removed = 0 } = change;
  const isCounted = added !== undefined && !before?.notKept && !after?.notKept;
  if (before && after && isCounted) return { before, after, added, removed }; // the usual case
  const isTooLarge = Math.max(before?.size ?? 0, after?.size ?? 0) > MAX_DIFFED_FILE_BYTES;
  return {
    ...(before && { before }),
    ...(after && { after }),
    ...(isCounted && { added, removed }),
    ...(added === undefined && isTooLarge && { uncounted: true }),
  };
}

function unknownIn(version: FileVersion | undefined): string[] {
  return version && version.size === undefined && version.mode !== SUBMODULE ? [version.contentId] : [];
}
