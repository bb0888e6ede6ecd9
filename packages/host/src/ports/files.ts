/**
 * Files of this machine, by absolute paths. No call reads or changes a file whose real path the scope does not allow,
 * whatever symbolic links a path goes through and whatever is swapped while the call runs. Every promise rejects only with
 * a FilesError; a failed call has changed nothing unless its message says so.
 */
export interface Files extends FileReader, FileWriter {}

/** The operations that change nothing. */
export interface FileReader {
  /** The real path that a path leads to now; it need not exist yet. Reveals nothing else, so it takes no scope. */
  locate(path: string): Promise<string>;
  /** Rejects with `tooLarge` when the file has more than `maxBytes`. */
  read(path: string, scope: FileScope, maxBytes: number): Promise<FileContent>;
  /** Direct children, sorted by name as JavaScript compares strings. A link is listed as the type it leads to; dangling links and special files are left out. */
  list(path: string, scope: FileScope): Promise<FolderEntry[]>;
  /** Describes what a path leads to; with `followLink` false, a link itself. */
  describe(path: string, scope: FileScope, followLink: boolean): Promise<FileDescription>;
}

/** The operations that change something. */
export interface FileWriter {
  /**
   * Writes a file atomically: readers and a crash see the old or the new content, never a part. Keeps the mode of an
   * existing file, which nobody may read meanwhile who could not before, and leaves nothing else behind. Other hard links to the
   * file keep the old content. Concurrent writes of this process to one file are done one after the other.
   */
  write(path: string, scope: FileScope, write: FileWrite): Promise<void>;
  /**
   * Copies a file, or a folder with everything in it. An existing file at the destination is replaced, or rejected with
   * `exists` if `failIfExists`; an existing folder is never replaced. Modes are kept. The folder of the destination must exist.
   */
  copy(source: string, destination: string, scope: FileScope, failIfExists: boolean): Promise<void>;
  /** Moves, with the same rules as `copy`. */
  move(source: string, destination: string, scope: FileScope, failIfExists: boolean): Promise<void>;
  /** Removes a file or folder; a folder that is not empty only if `recursive`. A link is removed, never its target. */
  remove(path: string, scope: FileScope, recursive: boolean): Promise<void>;
  /** Creates a folder with its parents. Does nothing if it exists; rejects with `exists` if something else is in the way. */
  makeFolder(path: string, scope: FileScope): Promise<void>;
}

/** What a caller may touch. Paths given to `may` are real paths. */
export interface FileScope {
  /** Whether the file with this real path may be used so. */
  may(access: FileAccess, realPath: string): boolean;
}
/** How a path is used; `remove` also covers a move away from it. */
export type FileAccess = 'read' | 'write' | 'remove';

export interface FileContent {
  /** All of it. */
  readonly bytes: Uint8Array;
  /** The path without links. */
  readonly realPath: string;
  /** The same as in the file's `FileDescription`. */
  readonly etag: string;
}

/** A change of a file's content, and its preconditions. */
export interface FileWrite {
  /** What is written. Read once, after the preconditions have been checked for the first time. */
  readonly data: Uint8Array;
  /**
   * `truncate` replaces everything from `position` on; `insert` shifts it behind the data; `append` inserts the data
   * `position` bytes before the end.
   */
  readonly mode: 'truncate' | 'append' | 'insert';
  /** In bytes. One beyond the content rejects with `badPosition`. */
  readonly position: number;
  /** Rejects with `exists` if there is a file already, or a link, even one that leads nowhere. Of several at once, one succeeds. */
  readonly createOnly: boolean;
  /** Rejects with `changed` unless the file exists with this etag, also right before it is replaced. */
  readonly ifMatch?: string | undefined;
  /** The maximum size of the resulting file in bytes. Does not apply to appending at the end. */
  readonly maxBytes: number;
}

/** A child of a folder. */
export interface FolderEntry {
  /** The last part of its path. */
  readonly name: string;
  /** What it is. */
  readonly type: 'file' | 'directory';
}

/** The metadata of a file. */
export interface FileDescription {
  /** The path without links. */
  readonly realPath: string;
  /** What it is. */
  readonly type: 'file' | 'directory' | 'symlink';
  /** In bytes. */
  readonly size: number;
  /** When it was last changed. */
  readonly modifiedAt: Date;
  /** When content or metadata last changed (ctime). */
  readonly changedAt: Date;
  /** Differs whenever the content may differ. */
  readonly etag: string;
}

/** Why a file operation failed. The message names the path and is written for people. */
export class FilesError extends Error {
  override readonly name = 'FilesError';
  readonly kind: FilesErrorKind;
  /** The system's error code, such as `EACCES`, if the system refused. */
  readonly systemCode: string | undefined;
  /** The access that the scope did not allow, for `outside`. */
  readonly access: FileAccess | undefined;

  constructor(kind: FilesErrorKind, message: string, options: FilesErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.systemCode = options.systemCode;
    this.access = options.access;
  }
}

interface FilesErrorOptions {
  readonly cause?: unknown;
  readonly systemCode?: string;
  readonly access?: FileAccess;
}

/** The kinds of failure. Clients get a different error for each. */
export type FilesErrorKind =
  /** Not a usable path: relative, too long, with a NUL character, or through links that form a circle. */
  | 'badPath'
  /** The scope does not allow it. */
  | 'outside'
  /** The system does not allow it. */
  | 'forbidden'
  /** Nothing is there, or a file where a folder is needed above it. */
  | 'notFound'
  /** A symbolic link on the path leads nowhere. */
  | 'badLink'
  | 'exists'
  /** A folder would be replaced. */
  | 'isFolder'
  /** A file would be replaced by a folder, or is to be listed as one. */
  | 'notFolder'
  /** Neither a file nor a folder, or a folder where a file is required. */
  | 'notFile'
  | 'notEmpty'
  /** A folder into itself, or something onto itself. */
  | 'intoItself'
  | 'tooLarge'
  | 'badPosition'
  /** The file is not in the version that the caller expects. */
  | 'changed'
  | 'failed';
