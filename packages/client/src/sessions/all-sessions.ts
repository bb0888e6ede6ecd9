import type { SessionSummary } from '@moorage/protocol';
import type { Client } from '../client.js';

/** Every session of a host. One may come twice if it changes meanwhile; its latest entry counts. */
export async function allSessions(client: Pick<Client, 'request'>): Promise<SessionSummary[]> {
  const sessions = new Map<string, SessionSummary>();
  const asked = new Set<string | undefined>();
  for (let cursor: string | undefined; !asked.has(cursor); ) {
    asked.add(cursor); // a host that gives the same cursor again would never end
    const { items, nextCursor } = await client.request('listSessions', cursor === undefined ? {} : { cursor });
    for (const summary of items) sessions.set(summary.resource, summary);
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return [...sessions.values()];
}
