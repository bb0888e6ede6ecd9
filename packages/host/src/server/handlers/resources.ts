import type { CommandMap } from '@ahpd/protocol';
import type { ContentService } from '../../services/content/content-service.js';
import { invalidParams } from '../errors.js';
import type { Handler } from '../handler.js';

/** Reading content that the host keeps itself. */
export function resourceHandlers(contents: ContentService) {
  const resourceRead: Handler<'resourceRead'> = ({ uri }) => {
    if (!contents.isContent(uri)) throw invalidParams('params/uri: this host serves only "ahp-content:" URIs');
    return contents.read(uri);
  };
  return { resourceRead } satisfies { [M in keyof CommandMap]?: Handler<M> };
}
