import { readFileSync } from 'node:fs';
import type { Database } from '../shared/sqlite.js';
import type { FirstTransaction } from './commit.js';

/**
 * The id of the machine's current boot; undefined where there is none to read. Then an unclean end counts as one of the
 * machine: that costs clients a snapshot, and the opposite would show them what is lost.
 */
export function currentBoot(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the store was last open in another boot and was not closed: the machine stopped before the host did. With
 * `synchronous = normal`, the end of the log may then never have reached the disk, and nothing else shows that.
 */
export function endedWithMachine(database: Database, boot: string | undefined): boolean {
  const row = database.prepare<{ json: string }>(`SELECT json FROM documents WHERE ${MARK}`).get();
  return row !== undefined && (boot === undefined || row.json !== JSON.stringify(boot));
}

/**
 * Marks the store as open with its first change, not before: on a full disk it must open, too. That change is forced to
 * the disk, so that no later one can be there without the mark; the connection is `full` until then.
 */
export function markOpen(
  database: Database,
  boot: string | undefined,
  synchronous: 'normal' | 'full',
): FirstTransaction {
  const put = 'INSERT OR REPLACE INTO documents (collection, key, session_id, json) VALUES (?, ?, NULL, ?)';
  return {
    inside: () => void database.prepare(put).run(MARK_COLLECTION, MARK_KEY, JSON.stringify(boot ?? null)),
    afterwards: () => void database.exec(`PRAGMA synchronous = ${synchronous}`),
  };
}

/** Removes the mark, as the last change: if this is on the disk, all before it is. */
export function markClosed(database: Database): void {
  database.exec(`DELETE FROM documents WHERE ${MARK}`);
}

/** A document of the store's own, which no service reads. */
export const MARK_COLLECTION = 'openIn';
const MARK_KEY = 'boot';
const MARK = `collection = '${MARK_COLLECTION}' AND key = '${MARK_KEY}'`;
