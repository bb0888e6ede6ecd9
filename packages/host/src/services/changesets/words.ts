import type { FileChange } from '../../ports/workspace.js';

/** What an operation works on, for people. */
export function nameOf({ aim, changes }: Named): string {
  if (aim.change) return pathOf(aim.change);
  const [only] = changes;
  return changes.length === 1 && only ? pathOf(only) : fileCount(changes.length);
}

/** Where a file is, or was. */
export function pathOf({ before, after }: FileChange): string {
  return after?.path ?? before?.path ?? '';
}

export function fileCount(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

interface Named {
  /** One of the changes, or undefined for all of them. */
  readonly aim: { readonly kind: string; readonly change?: FileChange };
  readonly changes: readonly FileChange[];
}
