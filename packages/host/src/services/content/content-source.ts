import type { ContentEncoding, ResourceReadResult, URI } from '@moorage/protocol';

/** A store of content under URIs of its own. */
export interface ContentSource {
  isContent(uri: URI): boolean;
  read(uri: URI, encoding?: ContentEncoding): ResourceReadResult | Promise<ResourceReadResult>;
}
