import type { ListSessionsParams, SessionSummary } from '@moorage/protocol';
import { EncodedJson } from '@moorage/protocol/internal';
import { invalidParams } from '../../core/errors.js';

/** Where a page of sessions ended: a session that changes meanwhile moves to the front, so its time is what counts. */
interface Cursor {
  readonly modifiedAt: string;
  readonly resource: string;
}

/** The answer to `listSessions`: a page of these summaries, which are JSON texts. */
export function listedSessions(all: readonly string[], params: ListSessionsParams): EncodedJson {
  return encodedPage(sessionPage(all, params));
}

/** A page of the list of sessions: summaries as JSON texts. */
export interface SessionTexts {
  /** Summaries, as JSON. */
  readonly items: readonly string[];
  /** Absent at the end. */
  readonly nextCursor?: string | undefined;
}

export function encodedPage({ items, nextCursor }: SessionTexts): EncodedJson {
  const cursor = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  return new EncodedJson(`{"items":[${items.join(',')}]${cursor}}`);
}

/**
 * The sessions after a cursor, as JSON texts, and the cursor for those after them. Without a limit it is all of them:
 * VS Code asks once, and ignores the cursor (V-4).
 */
function sessionPage(all: readonly string[], { limit, cursor }: ListSessionsParams): SessionTexts {
  if (limit !== undefined && (!Number.isInteger(limit) || limit <= 0)) {
    throw invalidParams('params/limit: expected a whole number above 0');
  }
  const start = cursor === undefined ? 0 : indexAfter(all, readCursor(cursor));
  const items = limit === undefined ? all.slice(start) : all.slice(start, start + limit);
  const last = items.at(-1);
  if (last === undefined || start + items.length >= all.length) return { items };
  const { modifiedAt, resource } = JSON.parse(last) as SessionSummary;
  return { items, nextCursor: Buffer.from(JSON.stringify({ modifiedAt, resource })).toString('base64url') };
}

function readCursor(cursor: string): Cursor {
  try {
    const { modifiedAt, resource } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Cursor;
    if (typeof modifiedAt === 'string' && typeof resource === 'string') return { modifiedAt, resource };
  } catch {
    // not one of ours
  }
  throw invalidParams('params/cursor: expected the "nextCursor" of an earlier answer');
}

/** A session that was changed since is no longer where it was: then the page goes on with what is older than it was. */
function indexAfter(all: readonly string[], cursor: Cursor): number {
  for (const [index, text] of all.entries()) {
    const { modifiedAt, resource } = JSON.parse(text) as SessionSummary;
    if (modifiedAt < cursor.modifiedAt) return index;
    if (modifiedAt === cursor.modifiedAt && resource === cursor.resource) return index + 1;
  }
  return all.length;
}
