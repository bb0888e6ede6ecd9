import type { ReviewFile } from './file.js';

/** A row of the file tree. */
export type TreeRow =
  | { readonly kind: 'folder'; readonly path: string; readonly name: string; readonly depth: number }
  | { readonly kind: 'file'; readonly file: ReviewFile; readonly name: string; readonly depth: number };

/** Files that are in order already, with a row for each folder that is open. Folders with one folder in them are one row. */
export function treeRows(files: readonly ReviewFile[], closed: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  let open: readonly string[] = [];
  for (const file of files) {
    const folders = file.path.split('/').slice(0, -1);
    let shared = 0;
    while (shared < folders.length && folders[shared] === open[shared]) shared++;
    for (let depth = shared; depth < folders.length; depth++) {
      const path = folders.slice(0, depth + 1).join('/');
      if (!isInside(path, closed)) rows.push({ kind: 'folder', path, name: folders[depth] ?? '', depth });
    }
    open = folders;
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    if (!isInside(file.path, closed)) rows.push({ kind: 'file', file, name, depth: folders.length });
  }
  return rows;
}

function isInside(path: string, closed: ReadonlySet<string>): boolean {
  if (closed.size === 0) return false;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (closed.has(path.slice(0, at))) return true;
  return false;
}
