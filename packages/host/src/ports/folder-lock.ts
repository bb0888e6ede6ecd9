/**
 * A data folder that is locked for this process. The folder must exist before it is locked. Adapters must unlock it when
 * the process ends in any way, even when it is killed.
 */
export interface FolderLock {
  /** May be called more than once. */
  release(): void;
}

/** Another process holds the lock; the message says which. */
export class FolderLockedError extends Error {
  override readonly name = 'FolderLockedError';
}
