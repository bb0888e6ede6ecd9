/** Keeps bytes by their hash, for contents that are too large for the database. Every gateway must see the same. */
export interface Blobs {
  /** Resolves once the bytes are kept. The same bytes may be put again. */
  put(hash: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there are none. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Does nothing when there are none. */
  delete(hash: string): Promise<void>;
}

/** SHA-256 in hexadecimal digits. Others are refused: a name is part of a path. */
export function assertHash(hash: string): void {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new TypeError('not the name of a blob');
}
