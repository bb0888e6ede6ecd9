import type { ContentEncoding, ResourceReadResult, URI } from '@ahpd/protocol';
import { invalidParams } from '../../core/errors.js';
import type { Handler, Handlers } from '../../core/handler.js';

/** Something that keeps content under URIs of its own. */
export interface ContentSource {
  isContent(uri: URI): boolean;
  read(uri: URI, encoding?: ContentEncoding): ResourceReadResult | Promise<ResourceReadResult>;
}

/** Reading content that the host keeps itself. */
export function contentCommands(sources: readonly ContentSource[]) {
  const resourceRead: Handler<'resourceRead'> = ({ uri, encoding }) => {
    const source = sources.find((candidate) => candidate.isContent(uri));
    if (!source) throw invalidParams('params/uri: expected the URI of content that this host keeps');
    return source.read(uri, encoding);
  };
  return { resourceRead } satisfies Handlers;
}
