import { invalidParams } from '../../core/errors.js';
import type { Handler, Handlers } from '../../core/handler.js';
import type { ContentService } from './content-service.js';

/** Reading content that the host keeps itself. */
export function contentCommands(contents: ContentService) {
  const resourceRead: Handler<'resourceRead'> = ({ uri, encoding }) => {
    if (!contents.isContent(uri)) throw invalidParams('params/uri: this host serves only "ahp-content:" URIs');
    return contents.read(uri, encoding);
  };
  return { resourceRead } satisfies Handlers;
}
