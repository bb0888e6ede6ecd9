import { createHash } from 'node:crypto';
import type { ChatState, ContentEncoding, ContentRef, ResourceReadResult, Turn, URI } from '@moorage/protocol';
import { notFound } from '../../core/errors.js';
import { STAYS_HERE } from '../../ports/store.js';
import type { HostContext } from '../context.js';
import { contentUri } from './content-uri.js';
import { encodeContent, inEncoding } from './encoding.js';

/**
 * Content that is too big for state or belongs to no file. It is stored with its session and read with `resourceRead`.
 */
export class ContentService {
  readonly #context: HostContext;

  constructor(context: HostContext) {
    this.#context = context;
  }

  /** A chat that a message brings along; undefined if there is none, or no more. */
  chat(uri: URI): ChatState | undefined {
    return this.#context.door.channels.find('chat', uri)?.state;
  }

  store(session: URI, content: string | Uint8Array, contentType?: string): ContentRef {
    const document: ResourceReadResult = { ...encode(content), ...(contentType !== undefined && { contentType }) };
    const key = this.#put(session, JSON.stringify(document));
    const sizeHint = Buffer.byteLength(content);
    return { uri: contentUri.format(key), sizeHint, ...(contentType !== undefined && { contentType }) };
  }

  /** The same for a content that never leaves this host, such as that of a file that git ignores: secrets are in these. */
  storeHere(session: URI, content: Uint8Array): ContentRef {
    const key = this.#put(session, JSON.stringify(encode(content)), STAYS_HERE);
    return { uri: contentUri.format(key), sizeHint: content.length };
  }

  /**
   * Copies turns for another session, along with their content: the originals' content goes when their session is
   * purged.
   */
  copyFor(session: URI, turns: readonly Turn[]): Turn[] {
    const copies = new Map<URI, URI>();
    return JSON.parse(JSON.stringify(turns), (name, value: unknown) => {
      if (name !== 'uri' || typeof value !== 'string' || !this.isContent(value)) return value;
      const copy = copies.get(value) ?? this.#copy(session, value) ?? value;
      copies.set(value, copy);
      return copy;
    }) as Turn[];
  }

  #copy(session: URI, uri: URI): URI | undefined {
    const json = this.#context.store.documents.read('content', contentUri.parse(uri) ?? '');
    return json === undefined ? undefined : contentUri.withId(uri, this.#put(session, json));
  }

  /**
   * Stores a document with a session under its hash, and returns that: a file after one edit is the file before the next,
   * and is stored once. Other sessions have their own, because each is purged with its session.
   */
  #put(session: URI, json: string, prefix = ''): string {
    const { documents } = this.#context.door;
    const hash = createHash('sha256').update(`${session}\n${json}`).digest('hex').slice(0, KEY_CHARS);
    const key = `${prefix}${hash}`;
    if (documents.read('content', key) === undefined) documents.put({ collection: 'content', key, session, json });
    return key;
  }

  isContent(uri: URI): boolean {
    return contentUri.parse(uri) !== undefined;
  }

  /** The content in the requested encoding; bytes that are not text are always base64. */
  read(uri: URI, encoding?: ContentEncoding): ResourceReadResult {
    const content = this.find(uri, encoding);
    if (!content) throw notFound(uri);
    return content;
  }

  /** The content as it was stored; undefined when there is none. */
  bytes(uri: URI): Uint8Array | undefined {
    const content = this.find(uri);
    return content && Buffer.from(content.data, content.encoding === 'base64' ? 'base64' : 'utf8');
  }

  /** Like `read`, but undefined when there is none. */
  find(uri: URI, encoding?: ContentEncoding): ResourceReadResult | undefined {
    const key = contentUri.parse(uri);
    const json = key === undefined ? undefined : this.#context.door.documents.read('content', key);
    if (json === undefined) return undefined;
    return inEncoding(JSON.parse(json) as ResourceReadResult, encoding);
  }
}

/** Hexadecimal digits of a hash: 160 bits. */
const KEY_CHARS = 40;

function encode(content: string | Uint8Array): ResourceReadResult {
  return typeof content === 'string' ? { data: content, encoding: 'utf-8' } : encodeContent(content);
}
