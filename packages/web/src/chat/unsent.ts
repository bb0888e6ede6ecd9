import type { Mirror } from '@moorage/client';
import { randomId } from '@moorage/client';
import type { ChatState } from '@moorage/protocol';
import { steeringOf } from '@moorage/protocol/internal';
import { keepInTab } from '../ui/tab-storage.js';
import { type Draft, foundIn, restoreDraft } from './drafts.js';

interface Unsent {
  readonly key: string;
  /** The id that the message gets in the chat once the host has accepted it. */
  readonly id: string;
  readonly draft: Draft;
}

const KEY = 'moorage.sending.';
/** What this page is sending. Other stored entries are from before a reload. */
const sending = new Set<string>();

/** Stores a draft until the host has received it. If it does not arrive, it is put back into the message field. */
export async function keepUntilSent(
  mirror: Mirror<'chat'>,
  id: string,
  draft: Draft,
  send: () => Promise<unknown>,
): Promise<void> {
  const key = randomId();
  sending.add(key);
  write(mirror.uri, [...read(mirror.uri), { key, id, draft: { ...draft, attachments: foundIn(draft) } }]);
  try {
    await send();
  } catch (error) {
    // Perhaps only the answer was lost.
    if (hasArrived(mirror.confirmed, id, draft)) return;
    restoreDraft(mirror.uri, draft);
    throw error;
  } finally {
    sending.delete(key);
    write(
      mirror.uri,
      read(mirror.uri).filter((other) => other.key !== key),
    );
  }
}

/** Puts back what the page was sending when it was reloaded, unless it arrived. */
export function restoreUnsent(mirror: Mirror<'chat'>): void {
  const left = read(mirror.uri).filter(({ key }) => !sending.has(key));
  if (left.length === 0) return;
  write(
    mirror.uri,
    read(mirror.uri).filter((other) => !left.some(({ key }) => key === other.key)),
  );
  for (const { id, draft } of left.reverse())
    if (!hasArrived(mirror.confirmed, id, draft)) restoreDraft(mirror.uri, draft);
}

/** A steering message may have been joined with another one, so its text is searched. The turn keeps it when it is taken. */
function hasArrived({ turns, activeTurn, queuedMessages, steeringMessage }: ChatState, id: string, draft: Draft) {
  const parts = (activeTurn ?? turns.at(-1))?.responseParts ?? [];
  const steering = [steeringMessage, ...parts.map(steeringOf)].find((known) => known?.id === id);
  if (steering) return steering.message.text.includes(draft.text);
  return [...turns, activeTurn, ...(queuedMessages ?? [])].some((known) => known?.id === id);
}

function read(chat: string): Unsent[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY + chat) ?? '[]') as Unsent[];
  } catch {
    return [];
  }
}

function write(chat: string, unsent: readonly Unsent[]): void {
  keepInTab(KEY + chat, unsent.length > 0 ? JSON.stringify(unsent) : '');
}
