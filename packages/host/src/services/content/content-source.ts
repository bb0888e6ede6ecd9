import type { ContentEncoding, ResourceReadResult, URI } from '@ahpd/protocol';

/** A store of content under URIs of its own. */
export interface ContentSource {
  isContent(uri: URI): boolean;
  read(uri: URI, encoding?: ContentEncoding): ResourceReadResult | Promise<ResourceReadResult>;
}
