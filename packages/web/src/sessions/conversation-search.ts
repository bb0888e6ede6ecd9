import type { Client } from '@moorage/client';
import { type FoundConversation, ROOT_URI } from '@moorage/protocol';
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

export interface WithConversations {
  readonly groups: readonly SessionGroup[];
  /** What was said, and where, by the key of the session. */
  readonly said: ReadonlyMap<string, FoundConversation>;
}

/** Adds a group with the sessions of this host in whose conversations the query was said, if their titles do not have it. */
export function useConversationGroup(
  groups: readonly SessionGroup[],
  sessions: readonly ListedSession[],
  view: SessionView,
  query: string,
): WithConversations {
  const found = useFoundConversations(query.trim());
  if (found.length === 0) return { groups, said: NOTHING_SAID };
  const listed = new Set(groups.flatMap((group) => group.sessions.map(keyOf)));
  const byUri = new Map(sessions.flatMap((session) => (session.host ? [] : [[session.resource, session] as const])));
  const shown = found.flatMap((conversation) => {
    const session = byUri.get(conversation.session);
    return session && passes(session, view.filter) && !listed.has(keyOf(session)) ? [{ session, conversation }] : [];
  });
  if (shown.length === 0) return { groups, said: NOTHING_SAID };
  return {
    groups: [...groups, { label: 'In conversations', sessions: shown.map(({ session }) => session) }],
    said: new Map(shown.map(({ session, conversation }) => [keyOf(session), conversation])),
  };
}

const NONE: readonly FoundConversation[] = [];
const NOTHING_SAID: WithConversations['said'] = new Map();

function useFoundConversations(query: string): readonly FoundConversation[] {
  const client = useClient();
  const [found, setFound] = useState({ query: '', conversations: NONE });
  useEffect(() => {
    if (query.length < MIN_CHARS) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const conversations = await search(client, query);
      if (isCurrent) setFound({ query, conversations });
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, query]);
  return found.query === query ? found.conversations : NONE;
}

/** None if the host cannot search: titles are found all the same. */
async function search(client: Client, query: string): Promise<readonly FoundConversation[]> {
  try {
    const params = { channel: ROOT_URI, query, limit: MAX_FOUND } as const;
    return (await client.request('moorage/searchConversations', params)).items;
  } catch {
    return NONE;
  }
}
