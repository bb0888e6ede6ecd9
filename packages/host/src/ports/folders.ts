/** The folders that sessions may work in. */
export interface Folders {
  /** The real paths of the folders that everything is confined to. */
  readonly roots: readonly string[];
  /** Whether a real path lies in a root, and not in what the host keeps for itself. */
  contains(path: string): boolean;
  /** The real paths of what the host keeps for itself. */
  readonly barred: readonly string[];
  /** Whether a real path lies in what the host keeps for itself, which nobody can be granted. */
  isBarred(path: string): boolean;
  /** The real path of a folder that a client named by a `file:` URI. Throws a FolderError when it may not be used. */
  resolve(uri: string): string;
  /** Where a folder picker should start, as a `file:` URI. */
  readonly defaultDirectory: string | undefined;
}

/** Why a folder may not be used; the message is for people. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
  readonly kind: 'invalid' | 'missing' | 'denied';

  constructor(kind: FolderError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
