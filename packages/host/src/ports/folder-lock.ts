/** A data folder that is this process's own until it is released, or until the process is gone, however it went. */
export interface FolderLock {
  release(): void;
}

/** Another process uses the data folder; the message says which. */
export class FolderLockedError extends Error {
  override readonly name = 'FolderLockedError';
}
