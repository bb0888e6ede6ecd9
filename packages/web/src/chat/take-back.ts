import { type Client, loadEarlierTurns, type Mirror } from '@moorage/client';
import { expandUriTemplate, type SessionState } from '@moorage/protocol';

/** What goes when an earlier message is sent again: the turns since, what was done to files since, or both. */
export type TakeBack = 'conversation' | 'files' | 'both';

/** Whether the host knows the files as they were between the turns of a session. */
export function knowsFiles({ changesets }: SessionState): boolean {
  return changesets?.some(({ changeKind }) => changeKind === 'turn') ?? false;
}

/** Makes the files what they were before a turn: as the turn before it left them, or without what the chat changed. */
export async function restoreFilesBefore(
  client: Client,
  session: SessionState,
  chat: Mirror<'chat'>,
  turnId: string,
): Promise<void> {
  if (chat.optimistic.turns[0]?.id === turnId) await loadEarlierTurns(client, chat);
  const { turns, changesets: ofChat = [] } = chat.optimistic;
  const before = turns[turns.findIndex(({ id }) => id === turnId) - 1];
  const { changesets: ofSession = [] } = session;
  // Before the first turn of a chat, only what this chat changed goes. A host without changesets of chats has only one.
  const entry = before
    ? ofSession.find(({ changeKind }) => changeKind === 'turn')
    : (ofChat.find(({ changeKind }) => changeKind === 'chat') ??
      ofSession.find(({ changeKind }) => changeKind === 'session'));
  if (!entry) throw new Error('The host does not know how the files were before this message');
  const channel = expandUriTemplate(entry.uriTemplate, before ? { turnId: before.id } : {});
  // Of a changeset that somebody follows, the host knows the files for sure.
  const changeset = await client.changeset(channel);
  try {
    await client.request('invokeChangesetOperation', { channel, operationId: before ? 'restore' : 'revert' });
  } finally {
    changeset.release();
  }
}
