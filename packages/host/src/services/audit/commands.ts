import { invalidParams } from '../../core/errors.js';
import type { Handler, Handlers } from '../../core/handler.js';
import { type Audit, AuditError } from '../../ports/audit.js';

export function auditCommands(audit: Audit) {
  const listAudit: Handler<'moorage/listAudit'> = async ({ cursor, since = 0 }) => {
    const { items, next, isIntact } = await audit.read(cursor).catch((error: unknown) => {
      throw error instanceof AuditError ? invalidParams(`params/cursor: ${error.message}`) : error;
    });
    const wanted = items
      .filter(({ at }) => at >= since)
      .map(({ about, ...entry }) => ({ ...entry, ...(about && { about }) }));
    return { items: wanted, isIntact, ...(next !== undefined && { nextCursor: next }) };
  };
  return { 'moorage/listAudit': listAudit } satisfies Handlers;
}
