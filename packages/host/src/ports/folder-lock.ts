/**
 * A data folder that is locked by one holder of this machine; locking it again throws a FolderLockedError, also in the same
 * process. A path that is no folder, or not yet, throws another error, whose message begins with the path and `cannot be locked`.
 * Adapters must unlock the folder when the process ends in any way, even when it is killed.
 */
export interface FolderLock {
  /** May be called more than once; a second call does not release what others have locked since. */
  release(): void;
}

/** Somebody holds the lock; the message has the number of the process. */
export class FolderLockedError extends Error {
  override readonly name = 'FolderLockedError';
}
