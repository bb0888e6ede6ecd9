import { isInside } from '../../paths/inside.js';
import type { FileAccess, FileScope } from '../../ports/files.js';
import type { Folders } from '../../ports/folders.js';
import type { Grant, Grants } from './grants.js';

/** What a client may touch in one operation. */
export interface ClientScope extends FileScope {
  /** Whether what was refused last is refused whatever a user would grant. */
  readonly isForGood: boolean;
}

/** Who may touch which files: everybody what is below the roots, and a client what a user granted it. */
export class Access {
  readonly #folders: Folders;
  readonly #grants: Grants;

  constructor(folders: Folders, grants: Grants) {
    this.#folders = folders;
    this.#grants = grants;
  }

  /** Runs one operation of a client; grants for one operation are used up by it. */
  async during<T>(clientId: string, operation: (scope: ClientScope) => Promise<T>): Promise<T> {
    const used = new Set<Grant>();
    let isForGood = false;
    const may = (access: FileAccess, path: string) => {
      const { roots, barred } = this.#folders;
      // A root stays, and so does what the host keeps for itself.
      const stays = access === 'remove' && [...roots, ...barred].some((folder) => isInside(folder, path));
      isForGood = stays || this.isBarred(path);
      if (isForGood) return false;
      if (this.#folders.contains(path)) return true;
      const grant = this.#grants.find(clientId, access === 'read' ? 'read' : 'write', path);
      if (grant) used.add(grant);
      return grant !== undefined;
    };
    try {
      return await operation({
        may,
        get isForGood() {
          return isForGood;
        },
      });
    } finally {
      for (const grant of used) this.#grants.used(clientId, grant);
    }
  }

  /** Whether nobody can be granted it. */
  isBarred(path: string): boolean {
    return this.#folders.isBarred(path);
  }

  /** Whether a client may do this already. */
  has(clientId: string, access: 'read' | 'write', path: string): boolean {
    if (this.#folders.contains(path)) return true;
    return !this.#folders.isBarred(path) && this.#grants.find(clientId, access, path) !== undefined;
  }
}
