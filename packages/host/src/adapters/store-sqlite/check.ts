import { StoreError } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';
import { damageOf } from './errors.js';
import { formatOf } from './format.js';

/**
 * Checks everything: the structure of the file, that texts are JSON, and that no serverSeq could be used twice. Takes about
 * 5 ms per MiB, so it runs for small stores at the start, and on request. Damage inside a text that is still valid JSON is
 * not found, as there are no checksums.
 */
function findDamage(database: Database): string | undefined {
  const found = database.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok') return found?.replaceAll('\n', ' ') ?? 'it cannot be checked';
  for (const [what, table, text] of TEXTS) {
    const row = database
      .prepare<{ found: number }>(`SELECT 1 AS found FROM ${table} WHERE NOT json_valid(${text})`)
      .get();
    if (row) return `${what} is no longer valid JSON`;
  }
  if (formatOf(database) === 0) return 'the number of its format is missing';
  const numbers = database.prepare<{ ceiling: number | null; used: number | null }>(`
    SELECT (SELECT seq_ceiling FROM host) AS ceiling,
      max((SELECT max(last_seq) FROM log), (SELECT max(seq) FROM snapshots)) AS used
  `);
  const { ceiling, used } = numbers.get() ?? { ceiling: null, used: null };
  if (ceiling === null) return 'the number of the last action is missing';
  return (used ?? 0) > ceiling ? 'there are actions above the number of the last one' : undefined;
}

/** Whether the tables have not been made yet. */
export function isNew(database: Database): boolean {
  return database.prepare<{ tables: number }>('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables === 0;
}

export function requireWhole(database: Database, file: string): void {
  const damage = findDamage(database);
  if (damage !== undefined) throw new StoreError('broken', `The store ${file} ${damageOf(damage)}`);
}

/** What is stored as JSON: a name for messages, the table and the column. */
const TEXTS = [
  ['a session in the list', 'sessions', 'summary'],
  ['the state of a session', 'snapshots', 'json'],
  ['an action', 'log', "'[' || envelopes || ']'"],
  ['a document', 'documents', 'json'],
] as const;
