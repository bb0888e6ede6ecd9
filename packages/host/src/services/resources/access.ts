import { isInside } from '../../paths/inside.js';
import type { FileAccess, FileScope } from '../../ports/files.js';
import type { Folders } from '../../ports/folders.js';
import type { Grant, Grants } from './grants.js';

/** What a client may access in one operation. */
export interface ClientScope extends FileScope {
  /** Whether no grant could have allowed the last access that was refused. */
  readonly isFinal: boolean;
  /** The folders that everybody may use. */
  readonly roots: readonly string[];
}

/** Decides which files a client may access: everything below the roots, and what a user granted to it. */
export class Access {
  readonly #folders: Folders;
  readonly #grants: Grants;

  constructor(folders: Folders, grants: Grants) {
    this.#folders = folders;
    this.#grants = grants;
  }

  /** Runs one operation of a client. A grant for one operation is used up by it. */
  async during<T>(clientId: string, operation: (scope: ClientScope) => Promise<T>): Promise<T> {
    const used = new Set<Grant>();
    let isFinal = false;
    const may = (access: FileAccess, path: string) => {
      const { roots, barred } = this.#folders;
      // Roots, and what the host keeps for itself, cannot be removed.
      const stays = access === 'remove' && [...roots, ...barred].some((folder) => isInside(folder, path));
      isFinal = stays || this.isBarred(path);
      if (isFinal) return false;
      if (this.#folders.contains(path)) return true;
      const grant = this.#grants.find(clientId, access === 'read' ? 'read' : 'write', path);
      if (grant) used.add(grant);
      return grant !== undefined;
    };
    try {
      return await operation({
        may,
        roots: this.#folders.roots,
        get isFinal() {
          return isFinal;
        },
      });
    } finally {
      for (const grant of used) this.#grants.used(clientId, grant);
    }
  }

  /** Whether no grant can allow access to the path. */
  isBarred(path: string): boolean {
    return this.#folders.isBarred(path);
  }

  /** Whether a client already has this access. */
  has(clientId: string, access: 'read' | 'write', path: string): boolean {
    if (this.#folders.contains(path)) return true;
    return !this.#folders.isBarred(path) && this.#grants.find(clientId, access, path) !== undefined;
  }
}
