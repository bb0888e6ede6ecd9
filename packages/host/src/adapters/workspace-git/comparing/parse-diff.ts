import type { FileChange, FileVersion } from '../../../ports/workspace.js';

/** Parses `git diff-tree -r -z --raw --numstat -M`: first all raw records, then all counts, in the same order. */
export function parseDiff(output: Buffer): FileChange[] {
  const fields = output.toString('utf8').split('\0');
  const changes: FileChange[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':')) {
    const [beforeMode = '', afterMode = '', beforeId = '', afterId = '', status = ''] = (fields[at++] ?? '')
      .slice(1)
      .split(' ');
    const beforePath = fields[at++] ?? '';
    const moved = status.startsWith('R') || status.startsWith('C');
    const afterPath = moved ? (fields[at++] ?? '') : beforePath;
    const before = version(beforePath, beforeId, beforeMode);
    const after = version(afterPath, afterId, afterMode);
    changes.push({ ...(before && { before }), ...(after && { after }) });
  }
  return changes.map((change) => {
    const [added = '-', removed = '-', path] = (fields[at++] ?? '').split('\t');
    if (path === '') at += 2; // a move has both paths in separate fields
    return added === '-' ? change : { ...change, added: Number(added), removed: Number(removed) };
  });
}

function version(path: string, contentId: string, mode: string): FileVersion | undefined {
  return /^0+$/.test(mode) ? undefined : { path, contentId, mode };
}
