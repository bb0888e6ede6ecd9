import type { NotKept } from '@moorage/host';
import { isObject } from '@moorage/protocol';
import { MAX_ASKED, MAX_LIST_BYTES, MAX_SHIPPED_FILE_BYTES } from './limits.js';
import { type KeptObject, OBJECT_ID } from './objects.js';

/** Where a host ships the files of its folders; `*` for those of all hosts. */
export function filesSubject(host: string): string {
  return `ahp.h.${host}.files`;
}

/** What a host asks first: which of these the fleet lacks. */
interface Lacking {
  readonly lacking: readonly string[];
}

/**
 * `lacks`: these. `kept`: the objects are stored. `part`: it has this part. `incomplete`: send all parts again. `full`: the
 * fleet keeps as much of this host as it may. `off`: it keeps no files.
 */
export type FilesAnswer =
  | { readonly answer: 'lacks'; readonly ids: readonly string[] }
  | { readonly answer: 'kept' | 'part' | 'incomplete' | 'full' | 'off' };

/** A list in a line, then the bytes of all of them. */
export function writeObjects(objects: readonly KeptObject[]): Uint8Array {
  const list = objects.map(({ id, type, size, deflated, notKept }) => [
    id,
    type,
    size,
    deflated.length,
    notKept ?? null,
  ]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(list)}\n`), ...objects.map(({ deflated }) => deflated)]);
}

/** Throws for what is no such list. The contents are not checked. */
export function readObjects(body: Uint8Array): readonly KeptObject[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const end = bytes.subarray(0, MAX_LIST_BYTES).indexOf(10);
  const list: unknown = JSON.parse(bytes.toString('utf8', 0, Math.max(0, end)));
  if (!Array.isArray(list) || list.length > MAX_ASKED) throw wrong();
  let at = end + 1;
  const objects = list.map((row): KeptObject => {
    const [id, type, size, length, notKept] = Array.isArray(row) ? row : [];
    const isWhole = typeof id === 'string' && OBJECT_ID.test(id) && (type === 'blob' || type === 'tree');
    if (!isWhole || !isCount(size) || !isCount(length) || (notKept !== null && !isNotKept(notKept))) throw wrong();
    if (length === 0 ? notKept === null || type === 'tree' : size > MAX_SHIPPED_FILE_BYTES) throw wrong();
    const deflated = bytes.subarray(at, at + length);
    at += length;
    return { id, type, size, deflated, notKept: notKept ?? undefined };
  });
  if (at !== bytes.length) throw wrong();
  return objects;
}

/** Undefined for what is not this question. */
export function readLacking(body: Uint8Array): readonly string[] | undefined {
  if (!Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 12)).toString().startsWith('{"lacking":'))
    return undefined;
  const { lacking } = JSON.parse(Buffer.from(body).toString()) as Partial<Lacking>;
  const areIds = Array.isArray(lacking) && lacking.every((id) => typeof id === 'string' && OBJECT_ID.test(id));
  if (!areIds || lacking.length > MAX_ASKED) throw wrong();
  return lacking;
}

export function readFilesAnswer(body: Uint8Array): FilesAnswer {
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  if (!isObject(value) || typeof value.answer !== 'string') throw new TypeError('not the answer of a gateway');
  return value as unknown as FilesAnswer;
}

const REASONS: ReadonlySet<unknown> = new Set<NotKept['reason']>(['tooLarge', 'unreadable', 'storeFull', 'lost']);

function isNotKept(value: unknown): value is NotKept {
  return isObject(value) && REASONS.has(value.reason) && isCount(value.size);
}

/** Sizes of files are more than PostgreSQL's `int` has room for. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function wrong(): TypeError {
  return new TypeError('not files of a host');
}
