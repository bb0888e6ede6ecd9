import { join } from 'node:path';
import { type FileReader, type FileScope, FilesError } from '../../ports/files.js';
import { uriOfPath } from '../resources/file-uri.js';
import { MAX_FILE_BYTES } from './limits.js';
import { decodeText, type Tree, TreeProblem } from './tree.js';

/** A folder on this machine, read within `scope`. Links that lead out of the scope are problems. */
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
  throw new TreeProblem(MESSAGES[error.kind] ?? 'it cannot be read', { cause: error });
}

/** Messages without paths: clients only see paths relative to what they know. */
const MESSAGES: Partial<Record<FilesError['kind'], string>> = {
  outside: 'it leads out of its folder',
  forbidden: 'the host may not read it',
  badLink: 'it is a link that leads nowhere',
  tooLarge: `it is larger than ${MAX_FILE_BYTES} bytes`,
  notFile: 'it is not a file',
  isFolder: 'it is a folder',
};
