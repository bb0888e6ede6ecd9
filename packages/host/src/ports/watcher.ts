/** Reports changes on disk. */
export interface Watcher {
  /**
   * Watches a folder, given by an absolute path: its direct children, or with `recursive` everything below it. Resolves when
   * every later change will be reported. Rejects with a WatchError when the folder cannot be watched. Changes in subfolders
   * that this user may not enter are not reported.
   */
  watch(folder: string, recursive: boolean, listener: WatchListener, bounds?: WatchBounds): Promise<Watching>;
  /**
   * Resolves to whether every change made before the call has reached its watch; after `Watching.settled` it has been reported,
   * too. Absent where the system cannot tell.
   */
  caughtUp?(): Promise<boolean>;
}

/** What of a folder is not reported. That the folder itself is gone always is. */
export interface WatchBounds {
  /** With `recursive`: changes in these folders below it, by their absolute paths. */
  readonly except?: readonly string[];
  /** Without: changes of all children but those of these names. */
  readonly only?: readonly string[];
}

/** An active watch, owned by the caller of `watch`. */
export interface Watching {
  /** The listener is not called any more from now on. May be called more than once. */
  stop(): void;
  /**
   * Resolves when everything that has reached the watch is reported, and new folders are watched or `missed` was called. Absent
   * where the system watches new folders by itself.
   */
  settled?(): Promise<void>;
  /** Tries again to watch what could not be watched (see `WatchListener.partial`). Resolves to whether all of it is watched now. */
  complete?(): Promise<boolean>;
}

/** Receives the changes of a watch. */
export interface WatchListener {
  /** Several changes of one path may be reported as one. A rename is `deleted` and `added`. */
  changed(changes: readonly PathChange[]): void;
  /** The system lost events: anything below the folder may have changed. The watch continues. */
  missed(): void;
  /** A new folder below could not be watched, so what happens in it is not reported. The watch of the rest continues. */
  partial?(error: WatchError): void;
  /**
   * The folder is gone, which was reported as `deleted`, and the watch has ended. Called at most once, and nothing is reported
   * after it.
   */
  ended(): void;
}

export interface PathChange {
  /** An absolute path. */
  readonly path: string;
  /** What happened to it. */
  readonly type: 'added' | 'updated' | 'deleted';
}

/** Why a folder cannot be watched. */
export class WatchError extends Error {
  override readonly name = 'WatchError';
}
