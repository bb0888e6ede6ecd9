import type { ChatSummary, SessionState, URI } from '@moorage/protocol';
import type { HostContext } from '../context.js';

/**
 * The chat catalogue of a disposed session. Disposing logs the removal of every chat, and a chat's own state does not
 * hold its entry (OQ-47).
 */
export interface DisposedChats {
  readonly chats: readonly ChatSummary[];
  readonly defaultChat?: URI | undefined;
}

/** Stores the catalogue in the tick that disposes the session, to list its chats again if it is restored. */
export function rememberChats({ door }: HostContext, session: URI, { chats, defaultChat }: SessionState): void {
  put(door, session, JSON.stringify({ chats, defaultChat } satisfies DisposedChats));
}

/**
 * The stored catalogue. It is empty if an early version of the host disposed the session, or if the record is damaged.
 */
export function rememberedChats({ store }: HostContext, session: URI): DisposedChats {
  const json = store.documents.read(COLLECTION, session);
  try {
    return json === undefined ? UNKNOWN : (JSON.parse(json) as DisposedChats);
  } catch {
    return UNKNOWN;
  }
}

export function forgetChats({ door }: HostContext, session: URI): void {
  put(door, session, undefined);
}

const UNKNOWN: DisposedChats = { chats: [] };

const COLLECTION = 'removedChats';

function put(door: HostContext['door'], session: URI, json: string | undefined): void {
  door.documents.put({ collection: COLLECTION, key: session, session, json });
}
