import type { ResourceReadResult, URI } from '@moorage/protocol';
import { notFound } from '../../core/errors.js';
import type { NotKept, Workspaces } from '../../ports/workspace.js';
import { encodeContent } from '../content/encoding.js';
import { parseFileVersionUri } from './files.js';

/** Why a content cannot be read, in words for people. */
export const NOT_KEPT: Record<NotKept['reason'], string> = {
  tooLarge: 'the file is too large: its content is not kept',
  storeFull: 'the content is not kept, because the host already keeps too much for this folder',
  unreadable: 'the host may not read the file',
  lost: 'the content is lost',
};

/** Reads the file contents, before and after a change, that changesets refer to. */
export class FileVersions {
  readonly #workspaces: Workspaces;

  constructor(workspaces: Workspaces) {
    this.#workspaces = workspaces;
  }

  isContent(uri: URI): boolean {
    return parseFileVersionUri(uri) !== undefined;
  }

  async read(uri: URI, encoding?: ResourceReadResult['encoding']): Promise<ResourceReadResult> {
    const parsed = parseFileVersionUri(uri);
    const content = parsed && (await this.#workspaces.read(parsed.workspaceId, parsed.contentId));
    if (content instanceof Uint8Array) return encodeContent(content, encoding);
    throw content ? notFound(uri, NOT_KEPT[content.reason]) : notFound(uri);
  }
}
