import type { FileAccess, FileScope } from '../../ports/files.js';
import type { Grant, Grants } from './grants.js';
import { isInside } from './inside.js';

/** Who may touch which files: everybody what is below the roots, and a client what a user granted it. */
export class Access {
  readonly #roots: readonly string[];
  readonly #grants: Grants;

  constructor(roots: readonly string[], grants: Grants) {
    this.#roots = roots;
    this.#grants = grants;
  }

  /** Runs one operation of a client; grants for one operation are used up by it. */
  async during<T>(clientId: string, operation: (scope: FileScope) => Promise<T>): Promise<T> {
    const used = new Set<Grant>();
    const may = (access: FileAccess, path: string) => {
      if (access === 'remove' && this.#roots.some((root) => isInside(root, path))) return false; // a root stays
      if (this.#roots.some((root) => isInside(path, root))) return true;
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
    return this.#roots.some((root) => isInside(path, root)) || this.#grants.find(clientId, access, path) !== undefined;
  }
}
