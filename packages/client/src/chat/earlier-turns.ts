import type { Turn } from '@moorage/protocol';
import type { Mirror } from '../channels/mirror.js';
import type { Client } from '../client.js';
import { RequestError } from '../errors.js';

type Chat = Pick<Mirror<'chat'>, 'uri' | 'confirmed'>;

/** Has a chat's mirror take in the page of turns before those it has. False when it has them all. */
export async function loadEarlierTurns(client: Pick<Client, 'request'>, chat: Chat): Promise<boolean> {
  const cursor = chat.confirmed.turnsNextCursor;
  if (cursor === undefined) return false;
  await client.request('fetchTurns', { channel: chat.uri, cursor });
  // They came before the answer. A host that sends none would be asked for them again and again.
  if (chat.confirmed.turnsNextCursor !== cursor) return true;
  throw new RequestError('invalid', 'fetchTurns', 'the host answered without sending turns');
}

/** Every finished turn of a chat, once its mirror has taken them all in. */
export async function allTurns(client: Pick<Client, 'request'>, chat: Chat): Promise<readonly Turn[]> {
  while (await loadEarlierTurns(client, chat));
  return chat.confirmed.turns;
}
