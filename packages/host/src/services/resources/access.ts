import { isInside } from '../../paths/inside.js';
import type { FileAccess, FileScope } from '../../ports/files.js';
import type { Folders } from '../../ports/folders.js';
import type { Grant, Grants } from './grants.js';

/** Who may touch which files: everybody what is below the roots, and a client what a user granted it. */
export class Access {
  readonly #folders: Folders;
  readonly #grants: Grants;

  constructor(folders: Folders, grants: Grants) {
    this.#folders = folders;
    this.#grants = grants;
  }

  /** Runs one operation of a client; grants for one operation are used up by it. */
  async during<T>(clientId: string, operation: (scope: FileScope) => Promise<T>): Promise<T> {
    const used = new Set<Grant>();
    const may = (access: FileAccess, path: string) => {
      const { roots, barred } = this.#folders;
      // A root stays, and so does what the host keeps for itself.
      if (access === 'remove' && [...roots, ...barred].some((folder) => isInside(folder, path))) return false;
      if (this.#folders.contains(path)) return true;
      if (this.#folders.isBarred(path)) return false;
      const grant = this.#grants.find(clientId, access === 'read' ? 'read' : 'write', path);
      if (grant) used.add(grant);
      return grant !== undefined;
    };
    try {
      return await operation({ may });
    } finally {
      for (const grant of used) this.#grants.used(clientId, grant);
    }
  }

  /** Whether a client may do this already. */
  has(clientId: string, access: 'read' | 'write', path: string): boolean {
    if (this.#folders.contains(path)) return true;
    return !this.#folders.isBarred(path) && this.#grants.find(clientId, access, path) !== undefined;
  }
}
