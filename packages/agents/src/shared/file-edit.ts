import type { ContentRef, FileEdit } from '@moorage/protocol';
import { type Awaitable, abortable } from './abortable.js';
import type { FileChange, FileSide } from './files/change.js';
import { decodeText } from './files/content.js';
import { countChangedLines } from './files/count-lines.js';

/** What `describeChange` needs from a turn. */
interface ContentStore {
  readonly signal: AbortSignal;
  storeContent(content: Uint8Array, contentType: string): Awaitable<ContentRef>;
}

/** Describes a change for clients, with both contents stored so that they can read them. */
export async function describeChange(turn: ContentStore, change: FileChange): Promise<FileEdit> {
  const before = change.before && (await storeSide(turn, change.before));
  const after = change.after && (await storeSide(turn, change.after));
  const diff = countLines(change);
  return { ...(before && { before }), ...(after && { after }), ...(diff && { diff }) };
}

/** Whether two changes have the same effect on the same file. */
export function isSameChange(one: FileChange, other: FileChange): boolean {
  return isSameSide(one.before, other.before) && isSameSide(one.after, other.after);
}

function isSameSide(one: FileSide | undefined, other: FileSide | undefined): boolean {
  if (!one || !other) return one === other;
  return one.uri === other.uri && Buffer.compare(one.bytes, other.bytes) === 0;
}

async function storeSide(turn: ContentStore, { uri, bytes }: FileSide): Promise<NonNullable<FileEdit['before']>> {
  const contentType = decodeText(bytes) === undefined ? 'application/octet-stream' : 'text/plain';
  return { uri, content: await abortable(turn.signal, turn.storeContent(bytes, contentType)) };
}

/** Only text has lines to count. */
function countLines({ before, after }: FileChange): FileEdit['diff'] {
  const old = decodeText(before?.bytes ?? new Uint8Array());
  const now = decodeText(after?.bytes ?? new Uint8Array());
  return old === undefined || now === undefined ? undefined : { ...countChangedLines(old, now) };
}
