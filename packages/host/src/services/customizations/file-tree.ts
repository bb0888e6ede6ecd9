import { join } from 'node:path';
import { type FileReader, type FileScope, FilesError } from '../../ports/files.js';
import { uriOfPath } from '../resources/file-uri.js';
import { MAX_FILE_BYTES } from './limits.js';
import { decodeText, type Tree, TreeProblem } from './tree.js';

/** A folder of this machine, within what the scope allows: links that lead elsewhere are problems. */
export function fileTree(files: FileReader, folder: string, scope: FileScope): Tree {
  return {
    folder,
    uriOf: (path) => uriOfPath(join(folder, path)),
    list: (path) => files.list(join(folder, path), scope).catch(missingOr),
    read: async (path) => {
      const content = await files.read(join(folder, path), scope, MAX_FILE_BYTES).catch(missingOr);
      return content && decodeText(content.bytes);
    },
  };
}

function missingOr(error: unknown): undefined {
  if (!(error instanceof FilesError)) throw error;
  if (error.kind === 'notFound' || error.kind === 'notFolder') return undefined;
  throw new TreeProblem(WORDS[error.kind] ?? 'it cannot be read', { cause: error });
}

/** Without the paths that the errors name: what clients are told of is relative to what they know. */
const WORDS: Partial<Record<FilesError['kind'], string>> = {
  outside: 'it leads out of the folder that it may be in',
  forbidden: 'the host may not read it',
  badLink: 'it is a link that leads nowhere',
  tooLarge: `it is larger than ${MAX_FILE_BYTES} bytes`,
  notFile: 'it is not a file',
  isFolder: 'it is a folder',
};
