import type { ChatSummary, SessionState, URI } from '@ahpd/protocol';
import type { HostContext } from '../context.js';

/** The catalogue of a session that was removed. Its log says that the chats went, and no chat knows its own entry (OQ-47). */
export interface RemovedChats {
  readonly chats: readonly ChatSummary[];
  readonly defaultChat?: URI | undefined;
}

/** Remembers the chats of a session that ends, to list them again if it is restored; stored with its end. */
export function rememberChats({ door }: HostContext, session: URI, { chats, defaultChat }: SessionState): void {
  put(door, session, JSON.stringify({ chats, defaultChat } satisfies RemovedChats));
}

/** The chats that a session had when it ended; none are known if an early build of the host ended it, or by damage. */
export function rememberedChats({ store }: HostContext, session: URI): RemovedChats {
  const json = store.documents.read(COLLECTION, session);
  try {
    return json === undefined ? UNKNOWN : (JSON.parse(json) as RemovedChats);
  } catch {
    return UNKNOWN;
  }
}

export function forgetChats({ door }: HostContext, session: URI): void {
  put(door, session, undefined);
}

const UNKNOWN: RemovedChats = { chats: [] };

const COLLECTION = 'removedChats';

function put(door: HostContext['door'], session: URI, json: string | undefined): void {
  door.documents.put({ collection: COLLECTION, key: session, session, json });
}
