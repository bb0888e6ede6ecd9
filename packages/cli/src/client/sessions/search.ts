import type { Client } from '@moorage/client';
import { ROOT_URI } from '@moorage/protocol';
import { CommandError } from '../errors.js';
import { note } from '../output/out.js';

/** Sessions that are asked for at once. */
const PAGE = 50;

/** The sessions in whose conversations these words were said, each with some words around them; at most so many. */
export async function searchConversations(client: Client, query: string, count: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let cursor: string | undefined;
  let isIncomplete = false;
  do {
    const params = { channel: ROOT_URI, query, limit: PAGE, ...(cursor !== undefined && { cursor }) } as const;
    const page = await client.request('moorage/searchConversations', params).catch((error: unknown) => {
      if ((error as { code?: number }).code === -32601) throw new CommandError('this host cannot search conversations');
      throw error;
    });
    for (const { session, excerpt } of page.items) found.set(session, excerpt);
    isIncomplete ||= page.incomplete === true;
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.size < count);
  if (isIncomplete) note('The host is still reading older conversations: there may be more in a moment.');
  return found;
}
