/**
 * Files of this machine, by absolute paths. Whatever symbolic links a path goes through, and whatever is swapped while a
 * call runs: nothing is read or changed whose real path the scope does not allow. Every failure is a FilesError, and
 * has changed nothing unless it says so.
 */
export interface Files extends FileReader, FileWriter {}

/** What only looks. */
export interface FileReader {
  /** Where a path really leads now, also one that does not exist yet. Tells nothing else, so it needs no scope. */
  locate(path: string): Promise<string>;
  read(path: string, scope: FileScope, maxBytes: number): Promise<FileContent>;
  /** Direct children by name; links as what they lead to, without those that lead nowhere and special files. */
  list(path: string, scope: FileScope): Promise<FolderEntry[]>;
  describe(path: string, scope: FileScope, followLink: boolean): Promise<FileDescription>;
}

/** What changes something. */
export interface FileWriter {
  /** Nobody ever sees half of it, and a crash leaves the old content or the new one. Writes to one file queue up. */
  write(path: string, scope: FileScope, write: FileWrite): Promise<void>;
  /** Folders with all that is in them. What is at the destination is replaced, unless it is a folder. */
  copy(source: string, destination: string, scope: FileScope, failIfExists: boolean): Promise<void>;
  move(source: string, destination: string, scope: FileScope, failIfExists: boolean): Promise<void>;
  /** A link is removed itself, never what it leads to. */
  remove(path: string, scope: FileScope, recursive: boolean): Promise<void>;
  /** With its parents; one that exists is fine. */
  makeFolder(path: string, scope: FileScope): Promise<void>;
}

/** What a caller may touch, by real paths. `remove` is for what would be gone from where it is. */
export interface FileScope {
  may(access: FileAccess, realPath: string): boolean;
}
/** What is wanted of a file. */
export type FileAccess = 'read' | 'write' | 'remove';

/** What a file holds, and which version of it that is. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly realPath: string;
  readonly etag: string;
}

/** What a file is to hold, and under which conditions. */
export interface FileWrite {
  readonly data: Uint8Array;
  /** `truncate` keeps what is before the position, `insert` shifts what is after it, `append` counts from the end. */
  readonly mode: 'truncate' | 'append' | 'insert';
  /** In bytes. */
  readonly position: number;
  readonly createOnly: boolean;
  readonly ifMatch?: string | undefined;
  /** Bytes of the content to be; plain appending is not limited. */
  readonly maxBytes: number;
}

/** What is directly in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly type: 'file' | 'directory';
}

/** What is known of a file without reading it. */
export interface FileDescription {
  readonly realPath: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly size: number;
  readonly modifiedAt: Date;
  readonly changedAt: Date;
  /** Another one whenever the content may be another one. */
  readonly etag: string;
}

/** Why a file operation cannot be done; the message names the path and is written for people. */
export class FilesError extends Error {
  override readonly name = 'FilesError';
  readonly kind: FilesErrorKind;
  /** What the system called it, where it was the system that refused. */
  readonly systemCode: string | undefined;
  /** What the scope did not allow. */
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

/** Why a file cannot be had; each is told to clients in its own way. */
export type FilesErrorKind =
  /** Not a path at all. */
  | 'badPath'
  /** The scope does not allow it. */
  | 'outside'
  /** The system does not allow it. */
  | 'forbidden'
  | 'notFound'
  /** A symbolic link on the way leads nowhere. */
  | 'badLink'
  | 'exists'
  | 'isFolder'
  | 'notFolder'
  /** Neither a file nor a folder, or a folder where a file has to be. */
  | 'notFile'
  | 'notEmpty'
  | 'intoItself'
  | 'tooLarge'
  | 'badPosition'
  /** The content is not what the caller thinks it is. */
  | 'changed'
  | 'failed';
