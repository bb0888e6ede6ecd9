import { type ContentRef, type ResourceReadResult, simpleUri, type URI } from '@ahpd/protocol';
import { notFound } from '../../server/errors.js';
import type { HostContext } from '../context.js';

const contentUri = simpleUri('ahp-content');

/** Content that is too big for state or belongs to no file: kept with its session, read by `resourceRead`. */
export class ContentService {
  readonly #context: HostContext;

  constructor(context: HostContext) {
    this.#context = context;
  }

  store(session: URI, content: string | Uint8Array, contentType?: string): ContentRef {
    const { door, ids } = this.#context;
    const key = ids.next();
    const document: ResourceReadResult =
      typeof content === 'string'
        ? { data: content, encoding: 'utf-8', contentType }
        : { data: base64(content), encoding: 'base64', contentType };
    door.putDocument({ collection: 'content', key, session, json: JSON.stringify(document) });
    return { uri: contentUri.format(key), sizeHint: content.length, contentType };
  }

  isContent(uri: URI): boolean {
    return contentUri.matches(uri);
  }

  read(uri: URI): ResourceReadResult {
    const key = contentUri.parse(uri);
    const json = key === undefined ? undefined : this.#context.store.documents.read('content', key);
    if (json === undefined) throw notFound(uri);
    return JSON.parse(json) as ResourceReadResult;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
