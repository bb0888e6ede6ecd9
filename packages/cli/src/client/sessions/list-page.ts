import type { Client } from '@moorage/client';
import type { SessionSummary } from '@moorage/protocol';

/** Sessions asked for at once: more than a screen has rows, and answered in a few milliseconds. */
export const PAGE_SIZE = 100;

export interface ListPage {
  readonly sessions: readonly SessionSummary[];
  /** Whether the host has sessions that were not looked at. */
  readonly hasMore: boolean;
}

/**
 * The newest sessions that pass, about as many as wanted: pages are read until there are enough, so the last page may
 * bring more. A session that changes meanwhile may come twice; its first entry counts, which is the newer one.
 */
export async function newestSessions(
  client: Pick<Client, 'request'>,
  wanted: number,
  passes: (session: SessionSummary) => boolean,
  meta?: Record<string, unknown>,
): Promise<ListPage> {
  const found = new Map<string, SessionSummary>();
  const asked = new Set<string | undefined>();
  let cursor: string | undefined;
  while (!asked.has(cursor)) {
    asked.add(cursor); // a host that gives the same cursor again would never end
    const page = cursor === undefined ? {} : { cursor };
    const { items, nextCursor } = await client.request('listSessions', {
      limit: PAGE_SIZE,
      ...page,
      ...(meta && { _meta: meta }),
    });
    for (const session of items)
      if (!found.has(session.resource) && passes(session)) found.set(session.resource, session);
    if (nextCursor === undefined) return { sessions: [...found.values()], hasMore: false };
    if (found.size >= wanted) break;
    cursor = nextCursor;
  }
  return { sessions: [...found.values()], hasMore: true };
}
