/** The ids of states and contents that documents refer to, and the file sizes they mention in bytes. */
export interface Referenced {
  readonly ids: Set<string>;
  bytes: number;
}

/**
 * Collects everything in the documents that looks like an id. Matching ids rather than named members cannot miss a
 * reference; at worst, too much is kept.
 */
export function referencedBy(documents: readonly string[]): Referenced {
  const ids = new Set<string>();
  let bytes = 0;
  for (const json of documents) {
    for (const [id] of json.matchAll(ID)) ids.add(id);
    for (const [, size] of json.matchAll(SIZE)) bytes += Number(size);
  }
  return { ids, bytes };
}

const ID = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;
const SIZE = /"size":(\d+)/g;
