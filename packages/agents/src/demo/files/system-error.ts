import { ToolProblem } from '../tool-problem.js';

/** Turns what the file system throws into a problem; anything else is a mistake of ours and stays what it is. */
export function explainSystemError(error: unknown, shown: string): unknown {
  if (!isSystemError(error)) return error;
  const known = SENTENCES[error.code];
  const message = known ? `${shown} ${known}.` : `${shown}: the file system says ${error.code}.`;
  return new ToolProblem(error.code, message, { cause: error });
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'goes through something that is not a folder',
  EISDIR: 'is a folder',
  EACCES: 'is not accessible: permission denied',
  EPERM: 'may not be changed: the operation is not permitted',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'could not be written: the disk is full',
  EDQUOT: 'could not be written: the disk quota is used up',
  ENAMETOOLONG: 'is too long a name',
  ELOOP: 'goes through symbolic links in a circle',
  EBUSY: 'is in use',
  EXDEV: 'would have to move to another file system',
};
