import type { Client, Mirror } from '@moorage/client';
import type { Turn } from '@moorage/protocol';

/** Turns per request. */
const PAGE = 200;

/** Every finished turn of a chat; the chat's own state may hold only the last ones. */
export async function allTurns(client: Client, chat: Mirror<'chat'>): Promise<Turn[]> {
  let turns: Turn[] = [...chat.confirmed.turns];
  for (;;) {
    const before = turns[0]?.id;
    if (before === undefined) return turns;
    const earlier = await client.request('fetchTurns', { channel: chat.uri, before, limit: PAGE });
    if (earlier.turns.length === 0) return turns;
    turns = [...earlier.turns, ...turns];
    if (!earlier.hasMore) return turns;
  }
}
