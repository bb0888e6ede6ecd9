import type { Client, Mirror } from '@ahpd/client';
import type { Turn } from '@ahpd/protocol';

/** Turns asked for at once. */
const PAGE = 200;

/** Every finished turn of a chat: a host may give only the last ones with the chat itself. */
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
