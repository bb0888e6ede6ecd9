import { AhpErrorCodes, RpcError, type URI } from '@ahpd/protocol';
import { invalidParams } from '../core/errors.js';
import { FolderError, type Folders } from '../ports/folders.js';

export interface WorkingDirectory {
  readonly uri: URI;
  /** The real path. */
  readonly path: string;
  readonly name: string;
}

/** The folder that a request names in this parameter; an error that says what is wrong with it. */
export function workingDirectory(folders: Folders, uri: URI, param = 'workingDirectory'): WorkingDirectory {
  try {
    const path = folders.resolve(uri);
    return { uri, path, name: path.split('/').at(-1) || path };
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    if (error.kind === 'invalid') throw invalidParams(`params/${param}: ${error.message}`);
    if (error.kind === 'missing') throw new RpcError(AhpErrorCodes.NotFound, error.message);
    // No `request`: what users grant is files, and a folder to work in has to be below a root.
    throw new RpcError(AhpErrorCodes.PermissionDenied, error.message, { data: {} });
  }
}
