import type { ReviewFile } from './file.js';

/** A row of the file tree. */
export type TreeRow =
  | { readonly kind: 'folder'; readonly path: string; readonly name: string; readonly depth: number }
  | { readonly kind: 'file'; readonly file: ReviewFile; readonly name: string; readonly depth: number };

/** The rows for sorted files, with one for each folder. A folder that contains only a folder shares its row. */
export function treeRows(files: readonly ReviewFile[], closed: ReadonlySet<string>): TreeRow[] {
  const children = childrenOf(files);
  const rows: TreeRow[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    const names = file.path.split('/');
    const last = names.length - 1;
    let depth = 0;
    let path = '';
    let shared = '';
    for (const [at, name] of names.entries()) {
      path = at === 0 ? name : `${path}/${name}`;
      if (at === last) break;
      if (children.get(path)?.size === 1 && at < last - 1) {
        shared += `${name}/`;
        continue;
      }
      if (!seen.has(path) && !isInside(path, closed)) rows.push({ kind: 'folder', path, name: shared + name, depth });
      seen.add(path);
      shared = '';
      depth++;
    }
    if (!isInside(file.path, closed)) rows.push({ kind: 'file', file, name: names[last] ?? '', depth });
  }
  return rows;
}

/** The names in each folder. */
function childrenOf(files: readonly ReviewFile[]): Map<string, Set<string>> {
  const children = new Map<string, Set<string>>();
  for (const { path } of files) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      const next = path.indexOf('/', end + 1);
      const folder = path.slice(0, end);
      const names = children.get(folder) ?? new Set();
      names.add(path.slice(end + 1, next < 0 ? path.length : next));
      children.set(folder, names);
    }
  }
  return children;
}

function isInside(path: string, closed: ReadonlySet<string>): boolean {
  if (closed.size === 0) return false;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (closed.has(path.slice(0, at))) return true;
  return false;
}
