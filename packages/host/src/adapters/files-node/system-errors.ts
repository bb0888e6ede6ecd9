import { FilesError, type FilesErrorKind } from '../../ports/files.js';

/** Turns an error of the file system into a FilesError. Any other error is a bug and is returned as it is. */
export function explain(error: unknown, path: string): unknown {
  if (!isSystemError(error)) return error;
  const [kind, problem] = KNOWN[error.code] ?? ['failed', `could not be used: the file system says ${error.code}`];
  return new FilesError(kind, `${path} ${problem}.`, { cause: error, systemCode: error.code });
}

export function isSystemError(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException & { code: string } {
  const isSystem = error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
  return isSystem && (codes.length === 0 || codes.includes(error.code as string));
}

const KNOWN: Readonly<Record<string, [FilesErrorKind, string]>> = {
  ENOENT: ['notFound', 'does not exist'],
  ENOTDIR: ['notFound', 'goes through something that is not a folder'],
  EISDIR: ['isFolder', 'is a folder'],
  EEXIST: ['exists', 'already exists'],
  ENOTEMPTY: ['notEmpty', 'is a folder that is not empty'],
  EACCES: ['forbidden', 'is not accessible: permission denied'],
  EPERM: ['forbidden', 'may not be changed: the operation is not permitted'],
  EROFS: ['forbidden', 'is on a read-only file system'],
  ENOSPC: ['failed', 'could not be written: the disk is full'],
  EDQUOT: ['failed', 'could not be written: the disk quota is used up'],
  ENAMETOOLONG: ['badPath', 'has a name that is too long'],
  ELOOP: ['badPath', 'goes through symbolic links in a circle'],
  EBUSY: ['failed', 'is in use'],
};
