/** What documents refer to: ids of states and contents, and the bytes of the files as far as they say them. */
export interface Referenced {
  readonly ids: Set<string>;
  bytes: number;
}

/**
 * Everything in these documents that may be an id. Looking for ids, and not for members by name, means that no document can
 * be forgotten here: too much is kept at the worst.
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
