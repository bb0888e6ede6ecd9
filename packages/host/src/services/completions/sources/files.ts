import { ExtensionMeta, fileUriIn, primaryDirectory } from '@moorage/protocol';
import { isInside } from '../../../paths/inside.js';
import type { FileScope } from '../../../ports/files.js';
import { FolderError } from '../../../ports/folders.js';
import type { HostContext } from '../../context.js';
import type { FileIndexes } from '../file-indexes.js';
import { MAX_ITEMS_OF_SOURCE } from '../limits.js';
import type { CompletionSource, Suggestion } from '../source.js';

/** Files in the session's folder. A word without a trigger may also be the start of a path. */
export function fileSource(context: HostContext, indexes: FileIndexes): CompletionSource {
  return {
    triggers: ['@', ''],
    async complete({ session, chat, word, signal }) {
      const folder = primaryDirectory(chat.state) ?? primaryDirectory(session.state);
      if (folder === undefined || (word.trigger === '' && word.query.length < 2)) return [];
      try {
        const real = context.folders.resolve(folder);
        // A few more than are shown, because some may be gone, or be links that lead out of the folder.
        const paths = await indexes.of(folder).search(word.query, MAX_ITEMS_OF_SOURCE + 10, signal);
        const scope: FileScope = { may: (access, path) => access === 'read' && isInside(path, real) };
        const there = await Promise.all(paths.map((path) => isFile(context, `${real}/${path}`, scope)));
        return paths
          .filter((_, index) => there[index])
          .slice(0, MAX_ITEMS_OF_SOURCE)
          .map((path) => fileItem(folder, path));
      } catch (error) {
        if (error instanceof FolderError) return [];
        throw error;
      }
    },
  };
}

function fileItem(folder: string, path: string): Suggestion {
  const label = path.slice(path.lastIndexOf('/') + 1);
  return {
    insertText: `@${path}`,
    attachment: {
      type: 'resource',
      uri: fileUriIn(folder, path),
      label,
      displayKind: 'file',
      _meta: { [ExtensionMeta.path]: path },
    },
  };
}

async function isFile({ files }: HostContext, path: string, scope: FileScope): Promise<boolean> {
  try {
    return (await files.describe(path, scope, true)).type === 'file';
  } catch {
    return false;
  }
}
