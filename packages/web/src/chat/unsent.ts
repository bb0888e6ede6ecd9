import type { Mirror } from '@ahpd/client';
import { randomId } from '@ahpd/client';
import type { ChatState } from '@ahpd/protocol';
import { keepInTab } from '../ui/tab-storage.js';
import { type Draft, foundIn, putBack } from './drafts.js';

interface Unsent {
  readonly key: string;
  /** The id that it has in the chat once the host has taken it. */
  readonly id: string;
  readonly draft: Draft;
}

const KEY = 'ahpd.sending.';
/** What this page is sending. All else was left by an earlier one, which a reload ended. */
const underWay = new Set<string>();

/** Keeps what is sent until the host has it. What does not arrive is put back into the field where it was written. */
export async function keepUntilSent(
  mirror: Mirror<'chat'>,
  id: string,
  draft: Draft,
  send: () => Promise<unknown>,
): Promise<void> {
  const key = randomId();
  underWay.add(key);
  write(mirror.uri, [...read(mirror.uri), { key, id, draft: { ...draft, attachments: foundIn(draft) } }]);
  try {
    await send();
  } catch (error) {
    // The answer may have been lost, and not the message.
    if (hasArrived(mirror.confirmed, id, draft)) return;
    putBack(mirror.uri, draft);
    throw error;
  } finally {
    underWay.delete(key);
    write(
      mirror.uri,
      read(mirror.uri).filter((other) => other.key !== key),
    );
  }
}

/** Puts back what the page was sending when it was reloaded, unless it arrived. */
export function restoreUnsent(mirror: Mirror<'chat'>): void {
  const left = read(mirror.uri).filter(({ key }) => !underWay.has(key));
  if (left.length === 0) return;
  write(
    mirror.uri,
    read(mirror.uri).filter((other) => !left.some(({ key }) => key === other.key)),
  );
  for (const { id, draft } of left.reverse()) if (!hasArrived(mirror.confirmed, id, draft)) putBack(mirror.uri, draft);
}

/** A message that steers may have been joined with another one. */
function hasArrived({ turns, activeTurn, queuedMessages, steeringMessage }: ChatState, id: string, draft: Draft) {
  if (steeringMessage?.id === id) return steeringMessage.message.text.includes(draft.text);
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
