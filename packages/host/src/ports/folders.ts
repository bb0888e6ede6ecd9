/** The folders that sessions may work in, and the host's own folders, which are closed to them. */
export interface Folders {
  /** The real paths of the folders that sessions are confined to. */
  readonly roots: readonly string[];
  /** Whether a real path lies in a root and not in a barred folder. A root inside a barred folder is allowed. */
  contains(path: string): boolean;
  /** The real paths of the host's own folders. */
  readonly barred: readonly string[];
  /** Whether a real path lies in a barred folder. No client can be granted access to it. */
  isBarred(path: string): boolean;
  /** The real path of an existing folder that a client named by a `file:` URI, whose links are followed first. Throws a FolderError when it may not be used. */
  resolve(uri: string): string;
  /** Where a folder picker should start, as a `file:` URI: the first root. */
  readonly defaultDirectory: string | undefined;
}

/** Why a folder may not be used. The message is written for people. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
  /** `invalid`: not a usable `file:` URI. `missing`: no folder is there. `denied`: outside the roots, or barred. */
  readonly kind: 'invalid' | 'missing' | 'denied';

  constructor(kind: FolderError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
