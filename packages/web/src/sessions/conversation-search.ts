import type { Client } from '@moorage/client';
import { ROOT_URI } from '@moorage/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { keyOf, type ListedSession } from '../connection/session-board.js';
import { passes, type SessionGroup, type SessionView } from './view.js';

/** Milliseconds without a key before the host is asked. */
const PAUSE_MS = 200;
/** One letter is in every conversation. */
const MIN_CHARS = 2;
/** Sessions in one search; the host has at most 50 on a page. */
const MAX_FOUND = 50;

/** Adds a group with the sessions of this host in whose conversations the query was said, if their titles do not have it. */
export function useConversationGroup(
  groups: readonly SessionGroup[],
  sessions: readonly ListedSession[],
  view: SessionView,
  query: string,
): readonly SessionGroup[] {
  const found = useFoundSessions(query.trim());
  if (found.length === 0) return groups;
  const listed = new Set(groups.flatMap((group) => group.sessions.map(keyOf)));
  const byUri = new Map(sessions.flatMap((session) => (session.host ? [] : [[session.resource, session] as const])));
  const said = found.flatMap((uri) => byUri.get(uri) ?? []);
  const shown = said.filter((session) => passes(session, view.filter) && !listed.has(keyOf(session)));
  return shown.length === 0 ? groups : [...groups, { label: 'In conversations', sessions: shown }];
}

const NONE: readonly string[] = [];

function useFoundSessions(query: string): readonly string[] {
  const client = useClient();
  const [found, setFound] = useState({ query: '', sessions: NONE });
  useEffect(() => {
    if (query.length < MIN_CHARS) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const sessions = await search(client, query);
      if (isCurrent) setFound({ query, sessions });
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, query]);
  return found.query === query ? found.sessions : NONE;
}

/** None if the host cannot search: titles are found all the same. */
async function search(client: Client, query: string): Promise<readonly string[]> {
  try {
    const params = { channel: ROOT_URI, query, limit: MAX_FOUND } as const;
    const { items } = await client.request('moorage/searchConversations', params);
    return items.map(({ session }) => session);
  } catch {
    return NONE;
  }
}
