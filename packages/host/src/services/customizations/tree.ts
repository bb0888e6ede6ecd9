import type { URI } from '@ahpd/protocol';
import type { FolderEntry } from '../../ports/files.js';

/** Files that customizations are read from, whoever has them. Paths are relative, with slashes; '' is the tree itself. */
export interface Tree {
  uriOf(path: string): URI;
  /** Undefined when there is no such folder. Rejects with a TreeProblem. */
  list(path: string): Promise<readonly FolderEntry[] | undefined>;
  /** Undefined when there is no such file. Rejects with a TreeProblem. */
  read(path: string): Promise<string | undefined>;
  /** The folder on this machine, where there is one. */
  readonly folder?: string;
}

/** Why something of a tree cannot be read, in words for the user. */
export class TreeProblem extends Error {
  override readonly name = 'TreeProblem';
}

/** The text of a file. Throws a TreeProblem when it is none. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new TreeProblem('it is not text in UTF-8', { cause });
  }
}

/** Below a tree, without any way to lead out of it. Undefined for what would. */
export function pathWithin(base: string, path: string): string | undefined {
  const names = [...base.split('/'), ...path.split('/')].filter((name) => name !== '' && name !== '.');
  if (path.startsWith('/') || names.some((name) => name === '..' || name.includes('\\') || name.includes('\0'))) {
    return undefined;
  }
  return names.join('/');
}
