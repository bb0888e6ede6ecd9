import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { NotKept, StateObject } from '@moorage/host';
import { MAX_SHIPPED_FILE_BYTES } from './limits.js';

/** A piece of the states of a host's folders, as it is shipped and kept. */
export interface KeptObject {
  /** As git computes it, from the content. */
  readonly id: string;
  readonly type: StateObject['type'];
  /** Bytes of the content. */
  readonly size: number;
  /** The content, compressed; empty if it is not kept. */
  readonly deflated: Uint8Array;
  /** Why there is no content, or only a stand-in. */
  readonly notKept?: NotKept | undefined;
}

/** Git's ids: SHA-1, or SHA-256 where a repository uses that. */
export const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

const deflated = promisify(deflate);
const inflated = promisify(inflate);

/** Fast: it is done on machines that have other work. */
const LEVEL = 1;

export async function packObject(id: string, object: StateObject | undefined): Promise<KeptObject> {
  const left = (reason: NotKept['reason'], size: number) => ({
    id,
    type: 'blob' as const,
    size,
    deflated: new Uint8Array(),
    notKept: { reason, size },
  });
  if (!object) return left('lost', 0);
  const { type, content, notKept } = object;
  if (content.length > MAX_SHIPPED_FILE_BYTES) return left('tooLarge', content.length);
  return { id, type, size: content.length, deflated: await deflated(content, { level: LEVEL }), notKept };
}

/** Undefined if only its reason is kept. Throws for a content that is not what its id says. */
export async function unpackObject({
  id,
  type,
  size,
  deflated: bytes,
  notKept,
}: KeptObject): Promise<StateObject | undefined> {
  if (bytes.length === 0) return undefined;
  const content = await inflated(bytes, { maxOutputLength: MAX_SHIPPED_FILE_BYTES });
  if (content.length !== size || idOf(type, content, id.length) !== id)
    throw new TypeError(`${id} is not the id of its content`);
  return { type, content, notKept };
}

function idOf(type: string, content: Uint8Array, chars: number): string {
  const hash = createHash(chars === 40 ? 'sha1' : 'sha256');
  return hash.update(`${type} ${content.length}\0`).update(content).digest('hex');
}

export interface FolderEntry {
  readonly mode: string;
  /** Its bytes as characters: names need not be UTF-8. */
  readonly name: string;
  readonly id: string;
}

const FOLDER = '40000';
const SUBMODULE = '160000';

export function isFolder({ mode }: FolderEntry): boolean {
  return mode === FOLDER;
}

/** What is in a folder: `<mode> <name>\0<id in bytes>`, again and again. Without submodules, of which nothing is kept. */
export function entriesOf(content: Uint8Array, idChars: number): readonly FolderEntry[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const entries: FolderEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    const next = end + 1 + idChars / 2;
    if (space < 0 || end < 0 || next > bytes.length) throw new TypeError('not a folder as git writes them');
    const mode = bytes.toString('latin1', at, space);
    const name = bytes.toString('latin1', space + 1, end);
    if (mode !== SUBMODULE) entries.push({ mode, name, id: bytes.toString('hex', end + 1, next) });
    at = next;
  }
  return entries;
}
