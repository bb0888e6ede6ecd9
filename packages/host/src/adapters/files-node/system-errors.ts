import { FilesError, type FilesErrorKind } from '../../ports/files.js';

/** Turns what the file system throws into a FilesError; anything else is a mistake of ours and stays what it is. */
export function explain(error: unknown, path: string): unknown {
  if (!isSystemError(error)) return error;
  const [kind, words] = KNOWN[error.code] ?? ['failed', `: the file system says ${error.code}`];
  return new FilesError(kind, `${path} ${words}.`.replace(' :', ':'), { cause: error, systemCode: error.code });
}

export function isSystemError(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException & { code: string } {
  const isSystem = error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
  return isSystem && (codes.length === 0 || codes.includes(error.code as string));
}

const KNOWN: Readonly<Record<string, [FilesErrorKind, string]>> = {
  ENOENT: ['notFound', 'does not exist'],
  ENOTDIR: ['notFound', 'goes through something that is not a folder'],
  EISDIR: ['isFolder', 'is a folder'],
  EEXIST: ['exists', 'exists already'],
  ENOTEMPTY: ['notEmpty', 'is a folder that is not empty'],
  EACCES: ['forbidden', 'is not accessible: permission denied'],
  EPERM: ['forbidden', 'may not be changed: the operation is not permitted'],
  EROFS: ['forbidden', 'is on a read-only file system'],
  ENOSPC: ['failed', 'could not be written: the disk is full'],
  EDQUOT: ['failed', 'could not be written: the disk quota is used up'],
  ENAMETOOLONG: ['badPath', 'is too long a name'],
  ELOOP: ['badPath', 'goes through symbolic links in a circle'],
  EBUSY: ['failed', 'is in use'],
};
