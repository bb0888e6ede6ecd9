import type { URI } from '@moorage/protocol';
import type { FolderEntry } from '../../ports/files.js';

/**
 * The files that customizations are read from, on this machine or a client's. Paths are relative, with slashes; '' is
 * the root.
 */
export interface Tree {
  uriOf(path: string): URI;
  /** Undefined if there is no such folder. Rejects with a TreeProblem. */
  list(path: string): Promise<readonly FolderEntry[] | undefined>;
  /** Undefined if there is no such file. Rejects with a TreeProblem. */
  read(path: string): Promise<string | undefined>;
  /** The folder on this machine, if there is one. */
  readonly folder?: string;
}

/** Why part of a tree cannot be read, in words for the user. */
export class TreeProblem extends Error {
  override readonly name = 'TreeProblem';
}

/** Decodes a text file. Throws a TreeProblem if it is not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new TreeProblem('it is not text in UTF-8', { cause });
  }
}

/** A path below `base`; undefined if it would lead out of the tree. */
export function pathWithin(base: string, path: string): string | undefined {
  const names = [...base.split('/'), ...path.split('/')].filter((name) => name !== '' && name !== '.');
  if (path.startsWith('/') || names.some((name) => name === '..' || name.includes('\\') || name.includes('\0'))) {
    return undefined;
  }
  return names.join('/');
}
