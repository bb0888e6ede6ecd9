import { basename } from 'node:path';
import { ExtensionMeta, fileUriIn, type URI } from '@moorage/protocol';
import { isInside } from '../../../paths/inside.js';
import type { FileScope } from '../../../ports/files.js';
import { FolderError } from '../../../ports/folders.js';
import type { HostContext } from '../../context.js';
import type { FileIndexes } from '../file-indexes.js';
import { MAX_ITEMS_OF_SOURCE } from '../limits.js';
import type { CompletionSource, Suggestion } from '../source.js';

/**
 * Files in the session's folders. A word without a trigger may also be the start of a path. Files of further folders have
 * the name of their folder before their path.
 */
export function fileSource(context: HostContext, indexes: FileIndexes): CompletionSource {
  return {
    triggers: ['@', ''],
    async complete({ session, chat, word, signal }) {
      if (word.trigger === '' && word.query.length < 2) return [];
      const folders = foldersOf(chat.state) ?? foldersOf(session.state) ?? [];
      const lists = await Promise.all(
        folders.map((folder, index) => filesIn(context, indexes, { folder, isFirst: index === 0 }, word.query, signal)),
      );
      return inTurns(lists).slice(0, MAX_ITEMS_OF_SOURCE);
    },
  };
}

function foldersOf({ workingDirectories }: { workingDirectories?: URI[] | undefined }): URI[] | undefined {
  return workingDirectories?.length ? workingDirectories : undefined;
}

async function filesIn(
  context: HostContext,
  indexes: FileIndexes,
  { folder, isFirst }: { readonly folder: URI; readonly isFirst: boolean },
  query: string,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  try {
    const real = context.folders.resolve(folder);
    const prefix = isFirst ? '' : `${basename(real)}/`;
    const wanted = query.startsWith(prefix) ? query.slice(prefix.length) : query;
    // A few more than are shown, because some may be gone, or be links that lead out of the folder.
    const paths = await indexes.of(folder).search(wanted, MAX_ITEMS_OF_SOURCE + 10, signal);
    const scope: FileScope = { may: (access, path) => access === 'read' && isInside(path, real) };
    const there = await Promise.all(paths.map((path) => isFile(context, `${real}/${path}`, scope)));
    return paths.filter((_, index) => there[index]).map((path) => fileItem(folder, path, prefix));
  } catch (error) {
    if (error instanceof FolderError) return [];
    throw error;
  }
}

/** The best of each list, then the second best of each, and so on. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list.slice(rank, rank + 1))).flat();
}

function fileItem(folder: URI, path: string, prefix: string): Suggestion {
  const label = path.slice(path.lastIndexOf('/') + 1);
  return {
    insertText: `@${prefix}${path}`,
    attachment: {
      type: 'resource',
      uri: fileUriIn(folder, path),
      label,
      displayKind: 'file',
      _meta: { [ExtensionMeta.path]: `${prefix}${path}` },
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
