import { AhpErrorCodes, RpcError, type URI } from '@moorage/protocol';
import { invalidParams } from '../core/errors.js';
import { FolderError, type Folders } from '../ports/folders.js';

export interface WorkingDirectory {
  readonly uri: URI;
  /** The real path. */
  readonly path: string;
  readonly name: string;
}

/** Resolves the folder that a request names in `param`. Throws the error for the client when it cannot be used. */
export function workingDirectory(folders: Folders, uri: URI, param = 'workingDirectory'): WorkingDirectory {
  try {
    const path = folders.resolve(uri);
    return { uri, path, name: path.split('/').at(-1) || path };
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    if (error.kind === 'invalid') throw invalidParams(`params/${param}: ${error.message}`);
    if (error.kind === 'missing') throw new RpcError(AhpErrorCodes.NotFound, error.message);
    // No `request` in the data: users can grant access to files, but a folder to work in must be below a root.
    throw new RpcError(AhpErrorCodes.PermissionDenied, error.message, { data: {} });
  }
}
