import { createHash } from 'node:crypto';
import { type Audit, type AuditEntry, AuditError, type AuditPage, type Log } from '@moorage/host';
import type { Database } from '../database/database.js';

export interface GatewayAudit extends Audit {
  /** Resolves once what was recorded is written. */
  settled(): Promise<void>;
}

/** Keeps in the fleet's database who did what at its gateways; they all write to one chain. */
export function createGatewayAudit(database: Database, log: Log): GatewayAudit {
  let writing: Promise<void> = Promise.resolve();

  const write = (entry: AuditEntry) =>
    database.transaction(async ({ execute, query }) => {
      await execute('lock table gateway_audit in exclusive mode');
      const [last] = await query<LastRow>(
        'select id::float8 as id, digest from gateway_audit order by gateway_audit.id desc limit 1',
      );
      const text = JSON.stringify(entry);
      await query('insert into gateway_audit (id, entry, digest) values ($1, $2, $3)', [
        (last?.id ?? 0) + 1,
        text,
        digestOf(last?.digest ?? '', text),
      ]);
    });

  return {
    record: (entry) => {
      writing = writing
        .then(() => write(entry))
        .catch((error: unknown) => {
          log.write('error', 'audit.write-failed', 'the audit could not be written', {
            what: entry.what,
            error: String(error),
          });
        });
    },
    read: async (cursor = '0') => {
      if (!/^\d{1,15}$/.test(cursor)) throw new AuditError('expected the "nextCursor" of an earlier answer');
      const after = Number(cursor);
      const rows = await database.query<Row>(
        `select id::float8 as id, entry, digest from gateway_audit where gateway_audit.id >= $1
         order by gateway_audit.id limit ${PAGE + 1}`,
        [after],
      );
      return pageOf(after, rows);
    },
    settled: () => writing,
  };
}

const PAGE = 500;

interface LastRow {
  readonly id: number;
  readonly digest: string;
}

interface Row extends LastRow {
  readonly entry: string;
}

/** The row of the cursor comes along: the chain goes on from it. */
function pageOf(after: number, rows: readonly Row[]): AuditPage {
  const before = rows[0]?.id === after ? rows[0] : undefined;
  const own = (before ? rows.slice(1) : rows).slice(0, PAGE);
  let isIntact = after === 0 || before !== undefined;
  let [id, digest] = [after, before?.digest ?? ''];
  for (const row of own) {
    isIntact &&= row.id === id + 1 && row.digest === digestOf(digest, row.entry);
    ({ id, digest } = row);
  }
  const hasMore = rows.length > PAGE;
  return {
    items: own.map(({ entry }) => JSON.parse(entry) as AuditEntry),
    isIntact,
    ...(hasMore && own.length > 0 && { next: String(id) }),
  };
}

function digestOf(before: string, entry: string): string {
  return createHash('sha256').update(before).update(entry).digest('hex');
}
