import { SUBMODULE } from '../../ports/file-modes.js';
import type { FileChange, FileVersion } from '../../ports/workspace.js';
import { MAX_DIFFED_FILE_BYTES } from './limits.js';
import type { ObjectReader } from './object-reader.js';
import type { StandIns } from './stand-ins.js';

/** How large contents are. Each is asked for once, and may be before anybody waits for it. */
export class Sizes {
  readonly #reader: ObjectReader;
  readonly #asked = new Map<string, Promise<number | undefined>>();

  constructor(reader: ObjectReader) {
    this.#reader = reader;
  }

  of(contentId: string): Promise<number | undefined> {
    const asked = this.#asked.get(contentId) ?? this.#reader.size(contentId);
    this.#asked.set(contentId, asked);
    return asked;
  }
}

/** Adds what is known of the contents: how large they are, and which are not kept. */
export async function describeContents(
  changes: readonly FileChange[],
  known: Sizes,
  standIns: StandIns,
): Promise<FileChange[]> {
  const unknown = changes.flatMap(({ before, after }) => [before, after]).filter((it) => it && it.size === undefined);
  const ids = [...new Set(unknown.flatMap((it) => (it && it.mode !== SUBMODULE ? [it.contentId] : [])))];
  const sizes = new Map<string, number | undefined>();
  await Promise.all(ids.map(async (id) => sizes.set(id, await known.of(id))));
  const described = (version: FileVersion | undefined): FileVersion | undefined => {
    if (!version || version.mode === SUBMODULE) return version;
    const standIn = standIns.get(version.contentId);
    if (standIn) return { ...version, size: standIn.size, notKept: standIn };
    const size = version.size ?? sizes.get(version.contentId);
    return size === undefined ? { ...version, notKept: { reason: 'lost', size: 0 } } : { ...version, size };
  };
  return changes.map((change) => {
    const [before, after] = [described(change.before), described(change.after)];
    const { added, removed, ...rest } = change;
    const isTooLarge = Math.max(before?.size ?? 0, after?.size ?? 0) > MAX_DIFFED_FILE_BYTES;
    const isCounted = added !== undefined && !before?.notKept && !after?.notKept;
    return {
      ...rest,
      ...(before && { before }),
      ...(after && { after }),
      ...(isCounted && { added, removed: removed ?? 0 }),
      ...(added === undefined && isTooLarge && { uncounted: true }),
    };
  });
}
