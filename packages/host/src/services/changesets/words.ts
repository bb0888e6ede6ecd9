import type { FileChange } from '../../ports/workspace.js';

/** Names what an operation works on, for people: a path, or a number of files. */
export function nameOf({ aim, changes }: Named): string {
  if (aim.change) return pathOf(aim.change);
  const [only] = changes;
  return changes.length === 1 && only ? pathOf(only) : fileCount(changes.length);
}

/** The present path of a file, or its last one. */
export function pathOf({ before, after }: FileChange): string {
  return after?.path ?? before?.path ?? '';
}

export function fileCount(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

interface Named {
  /** Without a `change`, all of them. */
  readonly aim: { readonly kind: string; readonly change?: FileChange };
  readonly changes: readonly FileChange[];
}
