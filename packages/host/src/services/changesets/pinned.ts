import type { FileChange, FileVersion } from '../../ports/workspace.js';
import type { TurnRecord } from './records.js';

/**
 * The version of a file after a turn or before it, as the records of all turns tell. Undefined when no turn changed the
 * file. If several records have the id, the latest one counts.
 */
export function versionAt(
  records: readonly TurnRecord[],
  turnId: string,
  path: string,
  side: 'before' | 'after',
): FileVersion | undefined {
  const index = records.findLastIndex((record) => record.turnId === turnId);
  if (index < 0 || !records[index]?.end) return undefined; // the turn still runs: its version is the one on disk
  const own = changesOf(records[index]).find(({ before }) => before?.path === path);
  if (side === 'before' && own) return own.before;
  for (const record of records.slice(0, index + 1).reverse()) {
    const change = changesOf(record).find(({ after }) => after?.path === path);
    if (change) return change.after;
  }
  for (const record of records.slice(index + 1)) {
    const change = changesOf(record).find(({ before }) => before?.path === path);
    if (change) return change.before;
  }
  return undefined;
}

/** Follows a file through the moves that the turn and later ones made, to its present path. */
export function pathNow(records: readonly TurnRecord[], turnId: string, path: string): string {
  const index = records.findLastIndex((record) => record.turnId === turnId);
  let at = path;
  for (const record of index < 0 ? [] : records.slice(index)) {
    const moved = changesOf(record).find(({ before, after }) => before?.path === at && after && after.path !== at);
    at = moved?.after?.path ?? at;
  }
  return at;
}

function changesOf(record: TurnRecord | undefined): readonly FileChange[] {
  return record?.end?.files ?? [];
}
