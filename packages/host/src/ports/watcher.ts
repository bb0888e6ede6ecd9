/** Tells of changes on disk. */
export interface Watcher {
  /**
   * Watches a folder with all below it, or only what is directly in it. Resolves when every change from now on will be
   * told; rejects with a WatchError when the system cannot do that. What is in folders that this user may not enter is not told.
   */
  watch(
    folder: string,
    recursive: boolean,
    listener: WatchListener,
    /** Folders below it of which nothing is told. */
    except?: readonly string[],
  ): Promise<Watching>;
}

/** A watch that is on. */
export interface Watching {
  /** Nothing is told any more. */
  stop(): void;
  /** Resolves when all that was told so far has been followed up: new folders are watched, or `missed` was called. */
  settled?(): Promise<void>;
  /** Tries once more to watch what could not be watched (`WatchListener.partial`); whether every change from now on is told. */
  complete?(): Promise<boolean>;
}

/** Who is told of changes. */
export interface WatchListener {
  /** By absolute paths; several changes of one path may be told as one. */
  changed(changes: readonly PathChange[]): void;
  /** The system lost some: anything below may have changed. The watch goes on. */
  missed(): void;
  /** What is in some new folder below is not told, since the system cannot watch it. The watch of the rest goes on. */
  partial?(error: WatchError): void;
  /** The folder is gone, and with it the watch: nothing more will be told. */
  ended(): void;
}

/** What happened at a path. */
export interface PathChange {
  readonly path: string;
  readonly type: 'added' | 'updated' | 'deleted';
}

/** Why the system cannot watch a folder. */
export class WatchError extends Error {
  override readonly name = 'WatchError';
}
